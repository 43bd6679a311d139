#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/debugfile.h"
#include "image/fdes.h"
#include "image/layout.h"
#include "image/names.h"
#include "image/note.h"
#include "image/object.h"
#include "image/plt.h"
#include "image/symtab.h"
#include "image/texts.h"

struct prf_image {
	struct prf_image_info info;
	struct prf_error warning; /* code 0: none */
	struct prf_names names;   /* what texts and layout point to */
	struct prf_layout layout;
	struct prf_texts texts;
	const struct prf_debug_way *way; /* or NULL; while it is opened */
};

PRF_DEFINE_AUTO(prf_image, prf_image_close);

/* The first warning about any of the image's files is kept. */
static void
take_warning(struct prf_image *image, const struct prf_object *object)
{
	if (image->warning.code == 0)
		image->warning = object->warning;
}

static void
read_info(struct prf_image_info *info, const struct prf_object *object)
{
	const GElf_Ehdr *ehdr = &object->ehdr;

	*info = (struct prf_image_info){
		.addr_bytes = ehdr->e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8,
		.big_endian = ehdr->e_ident[EI_DATA] == ELFDATA2MSB,
		.machine = ehdr->e_machine,
		.type = ehdr->e_type,
		.entry = ehdr->e_entry,
		.dev = object->dev,
		.inode = object->inode,
		.names_from = "",
	};
	info->build_id_size = prf_note_build_id(object, info->build_id,
						sizeof info->build_id);
}

/* Adds what the .symtab of OBJECT names. */
static int
add_symtab(struct prf_image *image, struct prf_symbols *symbols,
	   struct prf_object *object, struct prf_error *err)
{
	struct prf_symtab symtab;
	int rc = prf_symtab_find(&symtab, object, SHT_SYMTAB, &image->names,
				 err);

	if (rc == 0)
		rc = prf_symbols_add_table(symbols, &symtab, object,
					   &image->layout, err);
	return rc;
}

/* Adds what DEBUGFILE names, which it closes. */
static int
add_debugfile(struct prf_image *image, struct prf_symbols *symbols,
	      struct prf_debugfile *debugfile, struct prf_error *err)
{
	int rc = add_symtab(image, symbols, &debugfile->object, err);

	take_warning(image, &debugfile->object);
	if (symbols->n > 0)
		image->info.names_from = debugfile->path;
	prf_debugfile_close(debugfile);
	return rc;
}

static int
add_minidebug(struct prf_image *image, struct prf_symbols *symbols,
	      struct prf_object *mini, struct prf_error *err)
{
	int rc = add_symtab(image, symbols, mini, err);

	take_warning(image, mini);
	if (symbols->n > 0)
		image->info.names_from = ".gnu_debugdata";
	prf_object_close(mini);
	return rc;
}

/* Adds what a separate debug file or .gnu_debugdata names; else, what servers
 * have: a debug file can be large, and the way to it long. */
static int
add_debug_symbols(struct prf_image *image, struct prf_symbols *symbols,
		  struct prf_object *object, struct prf_error *err)
{
	struct prf_debugfile debugfile;
	struct prf_object mini;
	int rc = 0;

	if (prf_debugfile_open(&debugfile, object, PRF_DEBUG_ROOT, image->way,
			       &image->names))
		rc = add_debugfile(image, symbols, &debugfile, err);
	if (rc == 0 && symbols->n == 0 && prf_minidebug_open(&mini, object))
		rc = add_minidebug(image, symbols, &mini, err);
	if (rc == 0 && symbols->n == 0 && image->way &&
	    prf_debugfile_ask(&debugfile, object, image->way->servers,
			      &image->names))
		rc = add_debugfile(image, symbols, &debugfile, err);
	return rc;
}

/* Adds all symbols that can be found: .symtab, else a debug file's; then what
 * .dynsym has besides; then linkage stubs. */
static int
add_all_symbols(struct prf_image *image, struct prf_symbols *symbols,
		struct prf_object *object, struct prf_error *err)
{
	struct prf_symtab dynsym = {0};
	int rc = add_symtab(image, symbols, object, err);

	if (symbols->n > 0)
		image->info.names_from = ".symtab";
	else if (rc == 0)
		rc = add_debug_symbols(image, symbols, object, err);
	if (rc == 0)
		rc = prf_symtab_find(&dynsym, object, SHT_DYNSYM, &image->names,
				     err);
	if (rc == 0 && !dynsym.data && symbols->n == 0)
		rc = prf_symtab_dynamic(&dynsym, object, &image->names, err);
	if (rc != 0)
		return rc;
	rc = prf_symbols_add_table(symbols, &dynsym, object, &image->layout,
				   err);
	if (symbols->n > 0 && image->info.names_from[0] == '\0')
		image->info.names_from = ".dynsym";
	if (rc == 0)
		rc = prf_plt_add(symbols, &dynsym, object, &image->names, err);
	return rc;
}

static int
read_image(struct prf_image *image, struct prf_object *object,
	   struct prf_error *err)
{
	PRF_AUTO(prf_symbols_free) struct prf_symbols symbols = {0};
	PRF_AUTO(prf_fdes_free) struct prf_fdes fdes = {0};
	int rc;

	if (object->ehdr.e_type != ET_EXEC && object->ehdr.e_type != ET_DYN)
		return prf_error_set(
			err, -EINVAL,
			"%s: not a program or a shared library (ELF type %u)",
			object->path, object->ehdr.e_type);
	read_info(&image->info, object);
	rc = prf_layout_read(&image->layout, object, &image->names, err);
	if (rc == 0)
		rc = add_all_symbols(image, &symbols, object, err);
	if (rc == 0)
		rc = prf_fdes_read(&fdes, object, err);
	if (rc != 0)
		return rc;
	take_warning(image, object);
	rc = prf_texts_make(&image->texts, &image->layout, &symbols, &fdes);
	return rc == 0 ? 0 : prf_error_set(err, rc, "%s: %m", object->path);
}

/* Makes an image of OBJECT, which it closes. */
static int
image_of_object(struct prf_object *object, const struct prf_debug_way *way,
		struct prf_image **out, struct prf_error *err)
{
	PRF_AUTO(prf_image_auto)
	struct prf_image *image = calloc(1, sizeof *image);
	int rc = -ENOMEM;

	if (image) {
		image->way = way;
		rc = read_image(image, object, err);
	} else {
		prf_error_set(err, rc, "%s: %m", object->path);
	}
	prf_object_close(object);
	if (rc)
		return rc;
	image->way = NULL;
	*out = PRF_TAKE(image);
	return 0;
}

int
prf_image_open(const char *path, struct prf_image **out, struct prf_error *err)
{
	/* A FIFO must not keep us waiting, nor a terminal become ours. */
	PRF_AUTO(prf_auto_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return prf_error_set(err, -errno, "%s: %m", path);
	return prf_image_open_fd(fd, path, NULL, out, err);
}

int
prf_image_open_fd(int fd, const char *path, const struct prf_debug_way *way,
		  struct prf_image **out, struct prf_error *err)
{
	struct prf_object object;
	int rc = prf_object_open_fd(&object, fd, path, err);

	return rc == 0 ? image_of_object(&object, way, out, err) : rc;
}

int
prf_image_open_memory(const void *bytes, size_t size, const char *name,
		      struct prf_image **out, struct prf_error *err)
{
	struct prf_object object;
	int rc = prf_object_open_memory(&object, bytes, size, name, err);

	return rc == 0 ? image_of_object(&object, NULL, out, err) : rc;
}

void
prf_image_close(struct prf_image *image)
{
	if (!image)
		return;
	prf_texts_free(&image->texts);
	prf_layout_free(&image->layout);
	prf_names_free(&image->names);
	free(image);
}

const struct prf_image_info *
prf_image_info(const struct prf_image *image)
{
	return &image->info;
}

const char *
prf_image_warning(const struct prf_image *image)
{
	return image->warning.code != 0 ? image->warning.text : NULL;
}

const struct prf_text *
prf_image_texts(const struct prf_image *image, size_t *n)
{
	*n = image->texts.n;
	return image->texts.all;
}

size_t
prf_image_text_at(const struct prf_image *image, uint64_t vaddr)
{
	return prf_texts_at(&image->texts, vaddr);
}

int
prf_image_bias(const struct prf_image *image, uint64_t addr, uint64_t size,
	       uint64_t file_off, uint64_t *bias)
{
	return prf_layout_bias(&image->layout, addr, size, file_off, bias);
}

int
prf_image_off(const struct prf_image *image, uint64_t vaddr, uint64_t *off)
{
	const struct prf_layout *layout = &image->layout;

	for (size_t i = 0; i < layout->n_segments; i++) {
		const struct prf_segment *segment = &layout->segments[i];

		if (vaddr - segment->vaddr >= segment->size)
			continue;
		*off = segment->off + (vaddr - segment->vaddr);
		return 0;
	}
	return -ENOENT;
}
