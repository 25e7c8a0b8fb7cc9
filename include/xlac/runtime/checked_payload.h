// Bytes behind a header with their checksum, for executables that other
// programs store. Damaged and incomplete ones are rejected.
#pragma once

#include "xlac/support/result.h"

#include <string>
#include <string_view>

namespace xlac::runtime {

/// `payload` behind a header: the 8 characters of `magic`, a version as a
/// 32-bit integer, four zero bytes, the number of bytes of the payload as a
/// 64-bit integer, and its BLAKE2b-256 digest. Integers are little-endian.
std::string with_checksum(std::string_view magic, std::string_view payload);
/// The payload of such bytes. Fails with FailureKind::Runtime if they begin
/// otherwise, are incomplete or damaged, or have another version.
Result<std::string_view> check_payload(std::string_view magic,
                                       std::string_view bytes);

} // namespace xlac::runtime
