/* sim/base/unit.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/unit.h"

#include "sim/error.h"

#include <assert.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#define TEN_18        INT64_C(1000000000000000000)
#define MAX_INTEGER   19 /* digits before the point: all of int64 */
#define MAX_FRACTION  36 /* digits after it: two limbs of 18 */
#define MAX_DIVISOR   18 /* digits of a bandwidth or a frequency: its inverse fits 128 bits */
#define PS_PER_SECOND SIM_S

/* A decimal number as it was written: integer + (high + low * 10^-18) * 10^-18. */
typedef struct decimal {
    int64_t integer;
    int64_t high;
    int64_t low;
    int digits;          /* all of them, leading zeros of the integer and trailing ones left out */
    int fraction_digits; /* trailing zeros left out */
    uint64_t mantissa;   /* all digits as one number, if there are at most MAX_DIVISOR */
} decimal;

/* A suffix and what one of it is worth in the unit that is being parsed. */
typedef struct unit_name {
    const char *name;
    int64_t worth;
} unit_name;

static const unit_name TIME_UNITS[] = {
    {"ps", 1},           {"ns", SIM_NS}, {"us", SIM_US},      {"\u00b5s", SIM_US}, /* micro sign */
    {"\u03bcs", SIM_US},                                                           /* Greek mu */
    {"ms", SIM_MS},      {"s", SIM_S},   {"min", 60 * SIM_S}, {"h", 3600 * SIM_S},
};

static const unit_name BYTE_UNITS[] = {
    {"", 1},         {"B", 1},          {"k", 1000},        {"kB", 1000},     {"M", 1000000},
    {"MB", 1000000}, {"G", 1000000000}, {"GB", 1000000000}, {"Ki", 1 << 10},  {"KiB", 1 << 10},
    {"Mi", 1 << 20}, {"MiB", 1 << 20},  {"Gi", 1 << 30},    {"GiB", 1 << 30},
};

static const unit_name COUNT_UNITS[] = {
    {"", 1},         {"k", 1000},     {"M", 1000000},  {"G", 1000000000},
    {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30},
};

static const unit_name RATE_UNITS[] = {
    {"ps/B", SIM_RATE_PER_PS},         {"ns/B", SIM_NS *SIM_RATE_PER_PS},
    {"us/B", SIM_US *SIM_RATE_PER_PS}, {"ms/B", SIM_MS *SIM_RATE_PER_PS},
    {"s/B", SIM_S *SIM_RATE_PER_PS},
};

/* Bits per second; eight to the byte. */
static const unit_name BANDWIDTH_UNITS[] = {
    {"b/s", 1},
    {"kb/s", 1000},
    {"Mb/s", 1000000},
    {"Gb/s", 1000000000},
    {"Tb/s", INT64_C(1000000000000)},
    {"B/s", 8},
    {"kB/s", 8000},
    {"MB/s", 8000000},
    {"GB/s", INT64_C(8000000000)},
    {"TB/s", INT64_C(8000000000000)},
    {"KiB/s", INT64_C(8) << 10},
    {"MiB/s", INT64_C(8) << 20},
    {"GiB/s", INT64_C(8) << 30},
};

static const unit_name FREQUENCY_UNITS[] = {
    {"Hz", 1},
    {"kHz", 1000},
    {"MHz", 1000000},
    {"GHz", 1000000000},
};

static bool fail(GError **error, const char *what, const char *text)
{
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_UNIT, "%s: '%s'", what, text);
    return false;
}

static size_t count_digits(const char *text)
{
    size_t n = 0;
    while (g_ascii_isdigit(text[n])) {
        n++;
    }
    return n;
}

/* The fraction .ddd as two numbers of 18 digits. */
static void read_fraction(const char *digits, size_t n, decimal *out)
{
    int64_t limb[2] = {0, 0};
    for (size_t i = 0; i < MAX_FRACTION; i++) {
        limb[i / 18] = limb[i / 18] * 10 + (i < n ? digits[i] - '0' : 0);
    }
    out->high = limb[0];
    out->low = limb[1];
}

/* Read the number at the beginning of text. @return what follows it, or NULL */
static const char *read_decimal(const char *text, decimal *out)
{
    const size_t whole = count_digits(text);
    const char *fraction = text + whole;
    size_t n = 0;
    size_t written = 0;
    if (whole == 0) {
        return NULL;
    }
    if (*fraction == '.') {
        fraction++;
        written = count_digits(fraction);
        if (written == 0) {
            return NULL;
        }
        for (n = written; n > 0 && fraction[n - 1] == '0'; n--) {
        }
    }
    size_t zeros = 0;
    while (zeros < whole && text[zeros] == '0') {
        zeros++;
    }
    if (whole - zeros > MAX_INTEGER || n > MAX_FRACTION) {
        return NULL;
    }
    *out = (decimal){.digits = (int)(whole - zeros + n), .fraction_digits = (int)n};
    uint64_t integer = 0; /* 19 digits fit */
    for (size_t i = zeros; i < whole; i++) {
        integer = integer * 10 + (uint64_t)(text[i] - '0');
    }
    if (integer > INT64_MAX) {
        return NULL;
    }
    out->integer = (int64_t)integer;
    read_fraction(fraction, n, out);
    if (out->digits <= MAX_DIVISOR) {
        out->mantissa = integer;
        for (size_t i = 0; i < n; i++) {
            out->mantissa = out->mantissa * 10 + (uint64_t)(fraction[i] - '0');
        }
    }
    return fraction + written;
}

/*
 * number * scale, rounded half up, exactly: with x = fraction * scale * 10^18 it is enough to know
 * floor(x), because x / 10^18 is rounded at a multiple of 1/2. scale <= 10^18.
 * @return false if it is larger than max
 */
static bool scale_decimal(const decimal *number, int64_t scale, int64_t max, int64_t *out)
{
    assert(scale > 0 && scale <= TEN_18);
    const uint128 whole = (uint128)number->integer * (uint64_t)scale;
    const uint128 x =
        (uint128)number->high * (uint64_t)scale + (uint128)number->low * (uint64_t)scale / TEN_18;
    const uint128 sum = whole + (x + TEN_18 / 2) / TEN_18;
    if (sum > (uint128)max) {
        return false;
    }
    *out = (int64_t)sum;
    return true;
}

/* unit of one unit / number, in @p per, rounded half up. @return false if it is not in 1..max */
static bool invert_decimal(const decimal *number, int64_t per, int64_t worth, int64_t max,
                           int64_t *out)
{
    if (number->digits > MAX_DIVISOR || number->mantissa == 0) {
        return false;
    }
    uint128 dividend = (uint128)per; /* <= 8 * 10^18; times 10^18 at most: below 2^128 */
    for (int i = 0; i < number->fraction_digits; i++) {
        dividend *= 10;
    }
    const uint128 divisor = (uint128)number->mantissa * (uint64_t)worth;
    const uint128 quotient = (dividend + divisor / 2) / divisor;
    if (quotient == 0 || quotient > (uint128)max) {
        return false;
    }
    *out = (int64_t)quotient;
    return true;
}

static const unit_name *find_unit(const unit_name *units, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(units[i].name, name) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

/* Number, blanks, suffix. @return the suffix, or NULL with error */
static const char *read_number(const char *text, const char *what, decimal *out, GError **error)
{
    const char *suffix = read_decimal(text, out);
    if (suffix == NULL) {
        fail(error, what, text);
        return NULL;
    }
    while (*suffix == ' ') {
        suffix++;
    }
    return suffix;
}

bool sim_unit_parse_time(const char *text, sim_time plain, sim_time *out, GError **error)
{
    static const char what[] = "not a time (a number with ps, ns, us, ms, s, min or h)";
    decimal number;
    const char *suffix = read_number(text, what, &number, error);
    if (suffix == NULL) {
        return false;
    }
    int64_t scale = plain;
    if (*suffix != '\0') {
        const unit_name *unit = find_unit(TIME_UNITS, G_N_ELEMENTS(TIME_UNITS), suffix);
        if (unit == NULL) {
            return fail(error, what, text);
        }
        scale = unit->worth;
    } else if (suffix[-1] == ' ') {
        return fail(error, what, text);
    }
    return scale_decimal(&number, scale, SIM_TIME_MAX, out) ||
           fail(error, "time out of range (at most 26 days)", text);
}

/* A whole number of something. */
static bool parse_whole(const char *text, const char *what, const unit_name *units, size_t n,
                        int64_t *out, GError **error)
{
    decimal number;
    const char *suffix = read_number(text, what, &number, error);
    if (suffix == NULL) {
        return false;
    }
    const unit_name *unit = find_unit(units, n, suffix);
    if (unit == NULL || (*suffix == '\0' && suffix[-1] == ' ')) {
        return fail(error, what, text);
    }
    int64_t value;
    if (!scale_decimal(&number, unit->worth, INT64_MAX, &value)) {
        return fail(error, "too large", text);
    }
    /* Exact iff the fraction times the worth is whole, which 10^36 times it shows. */
    const uint128 low = (uint128)number.low * (uint64_t)unit->worth;
    const uint128 high = (uint128)number.high * (uint64_t)unit->worth + low / TEN_18;
    if (low % TEN_18 != 0 || high % TEN_18 != 0) {
        return fail(error, "not a whole number", text);
    }
    *out = value;
    return true;
}

bool sim_unit_parse_bytes(const char *text, int64_t *out, GError **error)
{
    return parse_whole(text, "not a size (a number of bytes, with B, k, M, G, Ki, Mi or Gi)",
                       BYTE_UNITS, G_N_ELEMENTS(BYTE_UNITS), out, error);
}

bool sim_unit_parse_rate(const char *text, sim_rate *out, GError **error)
{
    static const char what[] =
        "not a time per byte (such as 0.16ns/B or 20ps/B) nor a bandwidth (10GB/s, 400Gb/s)";
    decimal number;
    const char *suffix = read_number(text, what, &number, error);
    if (suffix == NULL) {
        return false;
    }
    const unit_name *unit = find_unit(RATE_UNITS, G_N_ELEMENTS(RATE_UNITS), suffix);
    if (unit != NULL) {
        return scale_decimal(&number, unit->worth, SIM_RATE_MAX, out) ||
               fail(error, "time per byte out of range (at most 1 s/B)", text);
    }
    unit = find_unit(BANDWIDTH_UNITS, G_N_ELEMENTS(BANDWIDTH_UNITS), suffix);
    if (unit == NULL) {
        return fail(error, what, text);
    }
    return invert_decimal(&number, 8 * PS_PER_SECOND * SIM_RATE_PER_PS, unit->worth, SIM_RATE_MAX,
                          out) ||
           fail(error, "bandwidth out of range (1 B/s to 10^18 B/s, at most 18 digits)", text);
}

/* "2^20": the exponent, or -1 if text is not of that form. */
static int power_of_two(const char *text)
{
    if (!g_str_has_prefix(text, "2^")) {
        return -1;
    }
    const size_t digits = count_digits(text + 2);
    if (digits == 0 || digits > 2 || text[2 + digits] != '\0') {
        return -1;
    }
    return (int)g_ascii_strtoll(text + 2, NULL, 10);
}

bool sim_unit_parse_count(const char *text, uint32_t *out, GError **error)
{
    int64_t value;
    const int exponent = power_of_two(text);
    if (exponent >= 0) {
        value = exponent < 63 ? INT64_C(1) << exponent : INT64_MAX;
    } else if (!parse_whole(text, "not a count (such as 64, 1Ki, 1k or 2^20)", COUNT_UNITS,
                            G_N_ELEMENTS(COUNT_UNITS), &value, error)) {
        return false;
    }
    if (value < 1 || value >= UINT32_MAX) {
        return fail(error, "count out of range (1 to 4294967294)", text);
    }
    *out = (uint32_t)value;
    return true;
}

bool sim_unit_parse_period(const char *text, sim_time *out, GError **error)
{
    static const char what[] = "not a period (a time, such as 21.34ms, or a frequency, 1kHz)";
    decimal number;
    const char *suffix = read_number(text, what, &number, error);
    if (suffix == NULL) {
        return false;
    }
    sim_time period = 0;
    const unit_name *unit = find_unit(FREQUENCY_UNITS, G_N_ELEMENTS(FREQUENCY_UNITS), suffix);
    if (unit != NULL) {
        return invert_decimal(&number, PS_PER_SECOND, unit->worth, SIM_TIME_MAX, out) ||
               fail(error, "frequency out of range (26 days to 1 ps, at most 18 digits)", text);
    }
    unit = find_unit(TIME_UNITS, G_N_ELEMENTS(TIME_UNITS), suffix);
    if (unit == NULL) {
        return fail(error, what, text);
    }
    if (!scale_decimal(&number, unit->worth, SIM_TIME_MAX, &period) || period == 0) {
        return fail(error, "period out of range (1 ps to 26 days)", text);
    }
    *out = period;
    return true;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* value / worth as an exact decimal, without trailing zeros. worth is a power of ten. */
static char *format_decimal(int64_t value, int64_t worth, const char *unit)
{
    const uint64_t size = magnitude(value);
    const uint64_t whole = size / (uint64_t)worth;
    uint64_t rest = size % (uint64_t)worth;
    GString *text = g_string_new(value < 0 ? "-" : "");
    g_string_append_printf(text, "%" G_GUINT64_FORMAT, whole);
    if (rest > 0) {
        g_string_append_c(text, '.');
        for (uint64_t digit = (uint64_t)worth / 10; rest > 0; digit /= 10) {
            g_string_append_c(text, (char)('0' + rest / digit));
            rest %= digit;
        }
    }
    g_string_append(text, unit);
    return g_string_free(text, FALSE);
}

/* Units that times are printed in, ascending. */
static const unit_name PRINTED_UNITS[] = {
    {"ps", 1}, {"ns", SIM_NS}, {"us", SIM_US}, {"ms", SIM_MS}, {"s", SIM_S},
};

/* The largest unit of which there is at least one. */
static size_t printed_unit(uint64_t size)
{
    size_t i = G_N_ELEMENTS(PRINTED_UNITS) - 1;
    while (i > 0 && size < (uint64_t)PRINTED_UNITS[i].worth) {
        i--;
    }
    return i;
}

char *sim_unit_format_time(sim_time t)
{
    const unit_name *unit =
        &PRINTED_UNITS[t == 0 ? G_N_ELEMENTS(PRINTED_UNITS) - 1 : printed_unit(magnitude(t))];
    return format_decimal(t, unit->worth, unit->name);
}

static uint64_t round_to_four_digits(uint64_t value)
{
    uint64_t step = 1;
    while (value / step >= 10000) {
        step *= 10;
    }
    return (value + step / 2) / step * step;
}

char *sim_unit_format_time_short(sim_time t)
{
    uint64_t size = magnitude(t);
    if (size >= 10000 * (uint64_t)SIM_S) { /* five digits of seconds: in hours, by 0.001 h */
        const int64_t milli = (int64_t)round_to_four_digits(size / (36 * (uint64_t)SIM_S / 10));
        return format_decimal(t < 0 ? -milli : milli, 1000, "h");
    }
    size = round_to_four_digits(size);
    const unit_name *unit =
        &PRINTED_UNITS[size == 0 ? G_N_ELEMENTS(PRINTED_UNITS) - 1 : printed_unit(size)];
    return format_decimal(t < 0 ? -(int64_t)size : (int64_t)size, unit->worth, unit->name);
}

char *sim_unit_format_ns(sim_time t)
{
    return format_decimal(t, SIM_NS, "");
}

char *sim_unit_format_rate(sim_rate rate)
{
    char *ns = format_decimal(rate, SIM_NS * SIM_RATE_PER_PS, "ns/B");
    char *ps = format_decimal(rate, SIM_RATE_PER_PS, "ps/B");
    const bool ns_shorter = strlen(ns) <= strlen(ps);
    g_free(ns_shorter ? ps : ns);
    return ns_shorter ? ns : ps;
}

char *sim_unit_format_count(uint64_t n)
{
    static const struct {
        int shift;
        const char *name;
    } powers[] = {{30, "Gi"}, {20, "Mi"}, {10, "Ki"}};
    for (size_t i = 0; i < G_N_ELEMENTS(powers); i++) {
        if (n > 0 && n % (UINT64_C(1) << powers[i].shift) == 0) {
            return g_strdup_printf("%" G_GUINT64_FORMAT "%s", n >> powers[i].shift, powers[i].name);
        }
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT, n);
}

char *sim_unit_format_thousands(double value)
{
    g_autofree char *digits = g_strdup_printf("%.0f", fabs(value));
    const size_t n = strlen(digits);
    const bool whole = g_ascii_isdigit(digits[0]); /* neither "inf" nor "nan" */
    GString *text = g_string_new(value < 0 && strcmp(digits, "0") != 0 ? "-" : "");
    for (size_t i = 0; i < n; i++) {
        if (whole && i > 0 && (n - i) % 3 == 0) {
            g_string_append_c(text, ',');
        }
        g_string_append_c(text, digits[i]);
    }
    return g_string_free(text, FALSE);
}
