/* Copies all fields of a state at once.

A `PlayState` has no base class, no C methods, and only numbers and arrays of numbers as fields. So its
fields are exactly the bytes after the object header, in any order of declaration. */
#ifndef WONDERLAND_FIELDS_H
#define WONDERLAND_FIELDS_H
#include <string.h>

/* Macros, so that `state` keeps the type of the game's own class. */
#define wonderland_fields(state) ((unsigned char *)(state) + sizeof(PyObject))
#define wonderland_fields_size(state) ((int)(sizeof(*(state)) - sizeof(PyObject)))
#define wonderland_copy_fields(target, source) \
    wonderland_copy(wonderland_fields(target), wonderland_fields(source), wonderland_fields_size(source))

/* In chunks that fit a register: for a small constant size, GCC would otherwise use `rep movs`, which has
a high start-up cost. */
static inline void wonderland_copy(unsigned char *target, const unsigned char *source, int size) {
    int at, whole = size / 32 * 32;
    for (at = 0; at < whole; at += 32) memcpy(target + at, source + at, 32);
    memcpy(target + whole, source + whole, (size_t)(size - whole));
}
#endif
