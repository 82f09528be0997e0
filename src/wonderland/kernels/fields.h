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
    memcpy(wonderland_fields(target), wonderland_fields(source), sizeof(*(source)) - sizeof(PyObject))
#endif
