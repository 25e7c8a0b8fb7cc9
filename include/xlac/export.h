// Symbol visibility of libxlac.so, which is compiled with hidden visibility.
#pragma once

/// Exports a function or class from the library.
#define XLAC_API [[gnu::visibility("default")]]

/// Keeps a member class of an exported class hidden.
#define XLAC_LOCAL [[gnu::visibility("hidden")]]
