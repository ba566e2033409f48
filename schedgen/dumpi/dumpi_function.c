/* schedgen/dumpi/dumpi_function.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
#include "dumpi/dumpi_private.h"

/*
 * MPI functions by their numbers in the file, and what their records hold behind the times, a
 * letter for each argument. Numbers have 32 bits, handles (but requests) 16, operators and levels
 * 8; a list is its length and its entries. n t  elements and their type          N T  of the other
 * side d s  destination, source              a A  tag; of the other side c C  communicator; the new
 * one        K Y  colour, key     D r  dimensions, may it reorder? q Q  request, list of these f
 * did it complete them?  x X  which one, which ones z    statuses, if the record has any  o    root
 * k    own rank in the communicator V R  elements sent to and received from each rank          y e
 * their types, one for each l L  elements of a block, of each     u    the new type ?    what
 * follows has the root alone  !    all have what follows, in newer versions h b i I J H B S nothing
 * that is used: 16, 8, 32 bits; lists of 32 bits, of such lists, of 16 bits, of bytes, of lists of
 * bytes
 */
#define NAMED(NAME)                                                                                \
    {                                                                                              \
        .name = "MPI_" NAME                                                                        \
    }
#define PLAIN(NAME, ARGS)                                                                          \
    {                                                                                              \
        .name = "MPI_" NAME, .args = (ARGS)                                                        \
    }
#define CALL(NAME, ARGS, KIND)                                                                     \
    {                                                                                              \
        .name = "MPI_" NAME, .args = (ARGS), .kind = SCHED_CALL_##KIND                             \
    }
#define SYNCHRONOUS(NAME, ARGS, KIND)                                                              \
    {                                                                                              \
        .name = "MPI_" NAME, .args = (ARGS), .kind = SCHED_CALL_##KIND, .detail = 1                \
    }
#define COLLECTIVE(NAME, ARGS, KIND)                                                               \
    {                                                                                              \
        .name = "MPI_" NAME, .args = (ARGS), .kind = SCHED_CALL_COLLECTIVE, .detail = (KIND)       \
    }
#define ACTION(NAME, ARGS, KIND, WHAT)                                                             \
    {                                                                                              \
        .name = "MPI_" NAME, .args = (ARGS), .kind = SCHED_CALL_##KIND, .action = (WHAT)           \
    }

static const dumpi_function FUNCTIONS[] = {
    CALL("Send", "ntdac", SEND),
    CALL("Recv", "ntsacz", RECV),
    PLAIN("Get_count", "zhi"),
    CALL("Bsend", "ntdac", SEND),
    SYNCHRONOUS("Ssend", "ntdac", SEND),
    CALL("Rsend", "ntdac", SEND),
    PLAIN("Buffer_attach", "i"),
    PLAIN("Buffer_detach", "i"),
    CALL("Isend", "ntdacq", ISEND),
    CALL("Ibsend", "ntdacq", ISEND),
    SYNCHRONOUS("Issend", "ntdacq", ISEND),
    CALL("Irsend", "ntdacq", ISEND),
    CALL("Irecv", "ntsacq", IRECV),
    ACTION("Wait", "qz", COMPLETE, DUMPI_WAIT),
    ACTION("Test", "qfz", COMPLETE, DUMPI_WAIT),
    ACTION("Request_free", "q", OTHER, DUMPI_FORGET),
    ACTION("Waitany", "iQxz", COMPLETE, DUMPI_ANY),
    ACTION("Testany", "iQxfz", COMPLETE, DUMPI_ANY),
    ACTION("Waitall", "iQz", COMPLETE, DUMPI_WAIT),
    ACTION("Testall", "iQfz", COMPLETE, DUMPI_WAIT),
    ACTION("Waitsome", "iQiXz", COMPLETE, DUMPI_SOME),
    ACTION("Testsome", "iQiXz", COMPLETE, DUMPI_SOME),
    PLAIN("Iprobe", "iihiz"),
    PLAIN("Probe", "iihz"),
    ACTION("Cancel", "q", OTHER, DUMPI_CANCEL),
    PLAIN("Test_cancelled", "zi"),
    CALL("Send_init", "ntdacq", SEND_INIT),
    CALL("Bsend_init", "ntdacq", SEND_INIT),
    SYNCHRONOUS("Ssend_init", "ntdacq", SEND_INIT),
    CALL("Rsend_init", "ntdacq", SEND_INIT),
    CALL("Recv_init", "ntsacq", RECV_INIT),
    CALL("Start", "q", START),
    CALL("Startall", "iQ", START),
    CALL("Sendrecv", "ntdaNTsAcz", SENDRECV),
    CALL("Sendrecv_replace", "ntdasAcz", SENDRECV),
    ACTION("Type_contiguous", "ntu", OTHER, DUMPI_TYPE),
    ACTION("Type_vector", "nlitu", OTHER, DUMPI_TYPE),
    ACTION("Type_hvector", "nlitu", OTHER, DUMPI_TYPE),
    ACTION("Type_indexed", "iLItu", OTHER, DUMPI_TYPE_OF),
    ACTION("Type_hindexed", "iLItu", OTHER, DUMPI_TYPE_OF),
    ACTION("Type_struct", "iLIyu", OTHER, DUMPI_TYPE_OF),
    PLAIN("Address", "i"),
    PLAIN("Type_extent", "hi"),
    PLAIN("Type_size", "hi"),
    PLAIN("Type_lb", "hi"),
    PLAIN("Type_ub", "hi"),
    PLAIN("Type_commit", "h"),
    PLAIN("Type_free", "h"),
    PLAIN("Get_elements", "zhi"),
    PLAIN("Pack", "ihiiih"),
    PLAIN("Unpack", "iiiihh"),
    PLAIN("Pack_size", "ihhi"),
    COLLECTIVE("Barrier", "c", COLL_BARRIER),
    COLLECTIVE("Bcast", "ntoc", COLL_BCAST),
    COLLECTIVE("Gather", "kntoc?NT", COLL_GATHER),
    COLLECTIVE("Gatherv", "kintoc?RI!T", COLL_GATHERV),
    COLLECTIVE("Scatter", "kntoc?NT", COLL_SCATTER),
    COLLECTIVE("Scatterv", "kiTntoc?VI", COLL_SCATTERV),
    COLLECTIVE("Allgather", "ntNTc", COLL_ALLGATHER),
    COLLECTIVE("Allgatherv", "intRITc", COLL_ALLGATHERV),
    COLLECTIVE("Alltoall", "ntNTc", COLL_ALLTOALL),
    COLLECTIVE("Alltoallv", "iVItRITc", COLL_ALLTOALLV),
    COLLECTIVE("Reduce", "ntboc", COLL_REDUCE),
    PLAIN("Op_create", "ib"),
    PLAIN("Op_free", "b"),
    COLLECTIVE("Allreduce", "ntbc", COLL_ALLREDUCE),
    COLLECTIVE("Reduce_scatter", "iRtbc", COLL_REDUCE_SCATTER),
    COLLECTIVE("Scan", "ntbc", COLL_SCAN),
    PLAIN("Group_size", "hi"),
    PLAIN("Group_rank", "hi"),
    PLAIN("Group_translate_ranks", "hiIhI"),
    PLAIN("Group_compare", "hhb"),
    PLAIN("Comm_group", "hh"),
    PLAIN("Group_union", "hhh"),
    PLAIN("Group_intersection", "hhh"),
    PLAIN("Group_difference", "hhh"),
    PLAIN("Group_incl", "hiIh"),
    PLAIN("Group_excl", "hiIh"),
    PLAIN("Group_range_incl", "hiJh"),
    PLAIN("Group_range_excl", "hiJh"),
    PLAIN("Group_free", "h"),
    PLAIN("Comm_size", "hi"),
    PLAIN("Comm_rank", "hi"),
    PLAIN("Comm_compare", "hhb"),
    ACTION("Comm_dup", "cC", OTHER, DUMPI_COMM_DUP),
    ACTION("Comm_create", "chC", OTHER, DUMPI_COMM_OTHER),
    ACTION("Comm_split", "cKYC", OTHER, DUMPI_COMM_SPLIT),
    ACTION("Comm_free", "c", OTHER, DUMPI_COMM_FREE),
    PLAIN("Comm_test_inter", "hi"),
    PLAIN("Comm_remote_size", "hi"),
    PLAIN("Comm_remote_group", "hh"),
    ACTION("Intercomm_create", "cihiiC", OTHER, DUMPI_COMM_OTHER),
    ACTION("Intercomm_merge", "ciC", OTHER, DUMPI_COMM_OTHER),
    PLAIN("Keyval_create", "h"),
    PLAIN("Keyval_free", "h"),
    PLAIN("Attr_put", "hi"),
    PLAIN("Attr_get", "hii"),
    PLAIN("Attr_delete", "hi"),
    PLAIN("Topo_test", "hb"),
    ACTION("Cart_create", "ciDIrC", OTHER, DUMPI_COMM_CART),
    PLAIN("Dims_create", "iiII"),
    ACTION("Graph_create", "iciIIiC", OTHER, DUMPI_COMM_OTHER),
    PLAIN("Graphdims_get", "hii"),
    PLAIN("Graph_get", "iihiiII"),
    PLAIN("Cartdim_get", "hi"),
    PLAIN("Cart_get", "ihiIII"),
    PLAIN("Cart_rank", "ihIi"),
    PLAIN("Cart_coords", "ihiiI"),
    PLAIN("Graph_neighbors_count", "hii"),
    PLAIN("Graph_neighbors", "ihiiI"),
    PLAIN("Cart_shift", "hiiii"),
    ACTION("Cart_sub", "icDC", OTHER, DUMPI_COMM_SUB),
    PLAIN("Cart_map", "hiIIi"),
    PLAIN("Graph_map", "ihiIIi"),
    PLAIN("Get_processor_name", "Bi"),
    PLAIN("Get_version", "ii"),
    PLAIN("Errhandler_create", "h"),
    PLAIN("Errhandler_set", "hh"),
    PLAIN("Errhandler_get", "hh"),
    PLAIN("Errhandler_free", "h"),
    PLAIN("Error_string", "iBi"),
    PLAIN("Error_class", "ii"),
    PLAIN("Wtime", ""),
    PLAIN("Wtick", ""),
    CALL("Init", "S", INIT),
    CALL("Finalize", "", FINALIZE),
    PLAIN("Initialized", "i"),
    PLAIN("Abort", "hi"),
    NAMED("Pcontrol"),
    NAMED("Close_port"),
    NAMED("Comm_accept"),
    NAMED("Comm_connect"),
    ACTION("Comm_disconnect", "c", OTHER, DUMPI_COMM_FREE),
    PLAIN("Comm_get_parent", "h"),
    NAMED("Comm_join"),
    NAMED("Comm_spawn"),
    NAMED("Comm_spawn_multiple"),
    NAMED("Lookup_name"),
    NAMED("Open_port"),
    NAMED("Publish_name"),
    NAMED("Unpublish_name"),
    NAMED("Accumulate"),
    NAMED("Get"),
    NAMED("Put"),
    NAMED("Win_complete"),
    NAMED("Win_create"),
    NAMED("Win_fence"),
    NAMED("Win_free"),
    NAMED("Win_get_group"),
    NAMED("Win_lock"),
    NAMED("Win_post"),
    NAMED("Win_start"),
    NAMED("Win_test"),
    NAMED("Win_unlock"),
    NAMED("Win_wait"),
    COLLECTIVE("Alltoallw", "iVIyRIec", COLL_ALLTOALLW),
    COLLECTIVE("Exscan", "ntbc", COLL_EXSCAN),
    PLAIN("Add_error_class", "i"),
    PLAIN("Add_error_code", "ii"),
    PLAIN("Add_error_string", "iB"),
    PLAIN("Comm_call_errhandler", "hi"),
    PLAIN("Comm_create_keyval", "h"),
    PLAIN("Comm_delete_attr", "hh"),
    PLAIN("Comm_free_keyval", "h"),
    PLAIN("Comm_get_attr", "hhi"),
    PLAIN("Comm_get_name", "hBi"),
    PLAIN("Comm_set_attr", "hh"),
    PLAIN("Comm_set_name", "hB"),
    NAMED("File_call_errhandler"),
    NAMED("Grequest_complete"),
    NAMED("Grequest_start"),
    CALL("Init_thread", "Sbb", INIT),
    PLAIN("Is_thread_main", "i"),
    PLAIN("Query_thread", "b"),
    PLAIN("Status_set_cancelled", "zi"),
    PLAIN("Status_set_elements", "zhi"),
    PLAIN("Type_create_keyval", "h"),
    PLAIN("Type_delete_attr", "hh"),
    ACTION("Type_dup", "tu", OTHER, DUMPI_TYPE),
    PLAIN("Type_free_keyval", "h"),
    PLAIN("Type_get_attr", "hhi"),
    PLAIN("Type_get_contents", "iiihiiiIIH"),
    PLAIN("Type_get_envelope", "hiiib"),
    PLAIN("Type_get_name", "hBi"),
    PLAIN("Type_set_attr", "hh"),
    PLAIN("Type_set_name", "hB"),
    NAMED("Type_match_size"),
    NAMED("Win_call_errhandler"),
    NAMED("Win_create_keyval"),
    NAMED("Win_delete_attr"),
    NAMED("Win_free_keyval"),
    NAMED("Win_get_attr"),
    NAMED("Win_get_name"),
    NAMED("Win_set_attr"),
    NAMED("Win_set_name"),
    PLAIN("Alloc_mem", "ih"),
    PLAIN("Comm_create_errhandler", "h"),
    PLAIN("Comm_get_errhandler", "hh"),
    PLAIN("Comm_set_errhandler", "hh"),
    NAMED("File_create_errhandler"),
    NAMED("File_get_errhandler"),
    NAMED("File_set_errhandler"),
    PLAIN("Finalized", "i"),
    PLAIN("Free_mem", ""),
    PLAIN("Get_address", "i"),
    PLAIN("Info_create", "h"),
    PLAIN("Info_delete", "hB"),
    PLAIN("Info_dup", "hh"),
    PLAIN("Info_free", "h"),
    PLAIN("Info_get", "hBiBi"),
    PLAIN("Info_get_nkeys", "hi"),
    PLAIN("Info_get_nthkey", "hiB"),
    PLAIN("Info_get_valuelen", "hBii"),
    PLAIN("Info_set", "hBB"),
    NAMED("Pack_external"),
    NAMED("Pack_external_size"),
    PLAIN("Request_get_status", "iiz"),
    NAMED("Type_create_darray"),
    ACTION("Type_create_hindexed", "iLItu", OTHER, DUMPI_TYPE_OF),
    ACTION("Type_create_hvector", "nlitu", OTHER, DUMPI_TYPE),
    ACTION("Type_create_indexed_block", "nlItu", OTHER, DUMPI_TYPE),
    ACTION("Type_create_resized", "tiiu", OTHER, DUMPI_TYPE),
    NAMED("Type_create_struct"),
    NAMED("Type_create_subarray"),
    NAMED("Type_get_extent"),
    NAMED("Type_get_true_extent"),
};

/* Behind what MPI-2 has: functions of the program, and the end of the records. */
enum { NUM_FUNCTIONS = 290, END_OF_RECORDS = NUM_FUNCTIONS + 3 };

const dumpi_function *sched_dumpi_function(unsigned number)
{
    static const dumpi_function OTHER = {.name = "a function of files, windows or the program"};
    if (number < G_N_ELEMENTS(FUNCTIONS)) {
        return &FUNCTIONS[number];
    }
    return number < END_OF_RECORDS && number != NUM_FUNCTIONS ? &OTHER : NULL;
}

bool sched_dumpi_is_end(unsigned number)
{
    return number == END_OF_RECORDS;
}
