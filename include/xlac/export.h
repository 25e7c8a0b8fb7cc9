// What libxlac.so exports: it is compiled with hidden visibility.
#pragma once

/// Marks a function or class that the library exports.
#define XLAC_API [[gnu::visibility("default")]]

/// Marks a member class of an exported class that is not exported itself.
#define XLAC_LOCAL [[gnu::visibility("hidden")]]
