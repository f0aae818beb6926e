// Numbers that know how wrong they may be, and whether two of them are equal.
//
// A number is the sum of two doubles, a bound of the error of this sum, and the exact value modulo the prime 2^61 - 1, in
// which fractions can be added, multiplied and divided. A difference beyond its error has a certain sign. A smaller one
// is 0 if its residue is 0: the numerator of any other is a multiple of the prime with a chance of 2^-61. If the residue
// is not 0, nothing is certain, and the run ends as undecided.
//
// Of the error, the part slant x is known but for x, an unknown in -1 ... 1 that numbers share: where they are subtracted, it
// cancels. There is one unknown at a time; of earlier ones only the sizes are kept.

#pragma once

#include <cmath>
#include <cstdint>

#include "batch.hpp"

namespace {

constexpr std::uint64_t PRIME = (std::uint64_t{1} << 61) - 1;

inline std::uint64_t reduced(std::uint64_t value) {
    const std::uint64_t folded = (value & PRIME) + (value >> 61);
    return folded >= PRIME ? folded - PRIME : folded;
}

inline std::uint64_t product(std::uint64_t one, std::uint64_t two) {
    const auto wide = static_cast<unsigned __int128>(one) * two;
    return reduced((static_cast<std::uint64_t>(wide) & PRIME) + static_cast<std::uint64_t>(wide >> 61));
}

inline std::uint64_t inverse(std::uint64_t value) {  // value^(PRIME - 2)
    std::uint64_t power = value, found = 1;
    for (std::uint64_t left = PRIME - 2; left > 0; left >>= 1, power = product(power, power))
        if (left & 1) found = product(found, power);
    return found;
}

struct Number {
    double high = 0, low = 0, error = 0;
    std::uint64_t residue = 0;
    double slant = 0;
    std::int64_t unknown = 0;
};

inline double doubt(const Number &one) { return one.error + std::abs(one.slant); }
inline Number plain(const Number &one) { return {one.high, one.low, doubt(one), one.residue}; }

// What an operation on two doubles may round, relative to its result, is less: below 2^-101.
inline Number made(double high, double low, double error, std::uint64_t residue, double slant, std::int64_t unknown) {
    const double total = high + low, rounded = std::abs(total) * 0x1p-100 + std::abs(slant) * 0x1p-50;
    return {total, low - (total - high), (error + rounded) * (1 + 0x1p-40) + 0x1p-1000, residue, slant, unknown};
}

inline double rest_of_sum(double one, double two, double total) {
    const double part = total - one;
    return (one - (total - part)) + (two - part);
}

inline Number operator-(const Number &one) {
    return {-one.high, -one.low, one.error, one.residue == 0 ? 0 : PRIME - one.residue, -one.slant, one.unknown};
}

inline Number operator+(const Number &one, const Number &two) {
    if (one.unknown != two.unknown && one.slant != 0 && two.slant != 0) return one.unknown < two.unknown ? plain(one) + two : one + plain(two);
    const double high = one.high + two.high, low = one.low + two.low;
    const double middle = rest_of_sum(one.high, two.high, high) + low, total = high + middle;
    const double rest = middle - (total - high) + rest_of_sum(one.low, two.low, low);
    return made(total, rest, one.error + two.error, reduced(one.residue + two.residue), one.slant + two.slant, std::max(one.unknown, two.unknown));
}

inline Number operator-(const Number &one, const Number &two) { return one + -two; }

inline bool is_one(const Number &one) { return one.residue == 1 && one.high == 1 && one.low == 0; }

inline Number operator*(const Number &one, const Number &two) {
    if (is_one(one)) return two;  // most queues stand for themselves alone
    if (one.slant != 0) return two.slant != 0 ? plain(one) * two : two * one;
    const double high = one.high * two.high, low = std::fma(one.high, two.high, -high) + (one.high * two.low + one.low * two.high);
    const double error = std::abs(one.high) * two.error + (std::abs(two.high) + std::abs(two.slant)) * one.error + one.error * two.error;
    return made(high, low, error * (1 + 0x1p-40), product(one.residue, two.residue), one.high * two.slant, two.unknown);
}

// 1, 0 or -1.
inline int sign(const Number &one) {
    if (!(doubt(one) < INF)) throw Undecided{UNDECIDED_NEXT};
    if (std::abs(one.high) > 2 * doubt(one)) return one.high > 0 ? 1 : -1;
    if (one.residue != 0) throw Undecided{UNDECIDED_NEXT};
    return 0;
}

inline Number operator/(const Number &one, const Number &two) {
    if (is_one(two)) return one;
    if (two.residue == 0 || sign(two) == 0) throw Undecided{UNDECIDED_NEXT};
    if (two.slant != 0) return one / plain(two);
    const double first = one.high / two.high, slant = one.slant / two.high;
    const Number rest = Number{one.high, one.low} - Number{first} * Number{two.high, two.low};
    const double error = (one.error + (std::abs(first) + std::abs(slant)) * two.error) / (std::abs(two.high) - two.error) * (1 + 0x1p-40);
    return made(first, rest.high / two.high, error, product(one.residue, inverse(two.residue)), slant, one.unknown);
}

inline bool operator==(const Number &one, const Number &two) { return sign(one - two) == 0; }
inline bool operator<(const Number &one, const Number &two) { return sign(one - two) < 0; }
inline bool operator<=(const Number &one, const Number &two) { return sign(one - two) <= 0; }

inline Number whole(double value) { return {value, 0, 0, static_cast<std::uint64_t>(value)}; }
inline const Number ONE = whole(1);

}  // namespace
