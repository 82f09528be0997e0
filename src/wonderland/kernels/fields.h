/* Copies of all fields of a play at once.

A `PlayState` has no base class, no C methods, and only numbers and arrays of numbers as fields. So its
fields are all that follows the object header, in whatever order they are declared. */
#ifndef WONDERLAND_FIELDS_H
#define WONDERLAND_FIELDS_H
#include <string.h>

/* Macros, so that `state` keeps the type of the game's own class. */
#define wonderland_fields(state) ((unsigned char *)(state) + sizeof(PyObject))
#define wonderland_fields_size(state) ((int)(sizeof(*(state)) - sizeof(PyObject)))
#define wonderland_copy_fields(target, source) \
    wonderland_copy(wonderland_fields(target), wonderland_fields(source), wonderland_fields_size(source))

/* In pieces that fit a register: for a size this small that it knows, GCC would rather use `rep movs`,
which takes long to start. */
static inline void wonderland_copy(unsigned char *target, const unsigned char *source, int size) {
    int at, whole = size / 32 * 32;
    for (at = 0; at < whole; at += 32) memcpy(target + at, source + at, 32);
    memcpy(target + whole, source + whole, (size_t)(size - whole));
}
#endif
