/* tests/collectives/test_coll_call_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "coll/call_text.h"

static void a_call_is_what_its_text_says(void)
{
    static const struct {
        const char *text;
        coll_kind kind;
        const char *algorithm;
        int64_t bytes;
    } row[] = {
        {"allreduce", COLL_ALLREDUCE, "none", 8},
        {"MPI_Allreduce:1KiB", COLL_ALLREDUCE, "none", 1024},
        {"bcast:binomial", COLL_BCAST, "binomial", 8},
        {"bcast:knomial-8:0", COLL_BCAST, "knomial-8", 0},
        {"barrier", COLL_BARRIER, "none", 0},
        {"barrier:dissemination", COLL_BARRIER, "dissemination", 0},
        {"alltoallv:linear:3", COLL_ALLTOALLV, "linear", 3},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        coll_call call = {.size = 7};
        coll_algorithm algorithm;
        if (!CHECK(coll_call_parse(row[i].text, &call, &algorithm, &error), "%s: %s", row[i].text,
                   error != NULL ? error->message : "")) {
            continue;
        }
        g_autofree char *how = coll_algorithm_format(algorithm);
        CHECK_I64(call.kind, row[i].kind, "%s", row[i].text);
        CHECK_I64(call.bytes, row[i].bytes, "%s", row[i].text);
        CHECK_I64(call.size, 7, "%s: what it does not say stays", row[i].text);
        CHECK_STR(how, row[i].algorithm, "%s", row[i].text);
    }
}

static void what_is_wrong_is_said(void)
{
    static const char *const row[][2] = {
        {"", "there is no collective ''"},
        {"alreduce", "did you mean 'allreduce'?"},
        {"allreduce:rings", "'rings' is not an algorithm, nor a size"},
        {"allreduce:rings:8", "there is no algorithm 'rings'"},
        {"allreduce:ring:8:9", "too many parts"},
        {"allreduce:ring:8x", "'8x' is not a size"},
        {"allreduce:8:ring", "there is no algorithm '8'"},
        {"bcast:knomial-1", "is a number from 2"},
        {"barrier:8", "a barrier moves no bytes"},
        {"barrier:linear:8", "a barrier moves no bytes"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        coll_call call = {.kind = COLL_SCAN, .bytes = 5};
        coll_algorithm algorithm = coll_algorithm_get("ring");
        CHECK(!coll_call_parse(row[i][0], &call, &algorithm, &error), "%s", row[i][0]);
        CHECK_ERROR(error, row[i][1]);
        CHECK(call.kind == COLL_SCAN && call.bytes == 5 && algorithm.how != NULL,
              "%s: outputs are as they were", row[i][0]);
    }
}

SUITE_MAIN("coll_call_text", TEST(a_call_is_what_its_text_says), TEST(what_is_wrong_is_said))
