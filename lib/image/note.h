/* note.h - what the notes of an ELF file say: its build-id. */
#ifndef PRF_IMAGE_NOTE_H
#define PRF_IMAGE_NOTE_H

#include <stddef.h>
#include <stdint.h>

#include "image/object.h"

/* The build-id of OBJECT into ID, which has room for MAX_BYTES; returns its
 * length.  0: there is none, or it is longer.  Of each of the first few dozen
 * sections of notes the beginning is looked at; without section headers, of
 * segments. */
size_t prf_note_build_id(const struct prf_object *object, uint8_t *id,
			 size_t max_bytes);

#endif
