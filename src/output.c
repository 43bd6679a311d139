#include "output.h"

#include <errno.h>
#include <stdlib.h>

#include "core/scope.h"
#include "outname.h"
#include "pattern.h"

/* The name of PID's file. */
static int
name_for(const struct prf_output *output, pid_t pid, char **name,
	 struct prf_error *err)
{
	struct prf_pattern_values values = {
		.pid = pid,
		.program = output->program,
	};

	return prf_pattern_name(output->pattern, &values, name, err);
}

static int
symbols_name_for(const char *name, char **symbols, struct prf_error *err)
{
	*symbols = prf_outname_symbols(name);
	return *symbols ? 0 : prf_error_set(err, -ENOMEM, "out of memory");
}

/* The process has no id yet: the longest there is stands for it. */
static int
check(const struct prf_output *output, bool split, struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *symbols = NULL;
	int rc = name_for(output, PRF_PATTERN_PID_MAX, &name, err);

	if (rc == 0)
		rc = prf_outdir_check(output->dir, name, err);
	if (rc < 0)
		return rc;
	bool in_place = prf_outdir_in_place(output->dir, name);
	if (in_place && split)
		return prf_error_set(err, -EINVAL,
				     "--split: %s is no file that others can "
				     "stand beside; name a file with -o",
				     name);
	if (in_place || split)
		return 0;
	rc = symbols_name_for(name, &symbols, err);
	return rc < 0 ? rc : prf_outdir_check(output->dir, symbols, err);
}

int
prf_output_open(const struct prf_options *options, struct prf_output *output,
		struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *directory = NULL;
	struct prf_pattern_values values = {.program = options->program[0]};

	*output = (struct prf_output){
		.pattern = options->output,
		.program = options->program[0],
	};
	int rc = prf_pattern_directory(options->output, &values, &directory,
				       err);
	if (rc == 0)
		rc = prf_outdir_open(directory, &output->dir, err);
	if (rc == 0)
		rc = check(output, options->split, err);
	if (rc < 0)
		prf_output_close(output);
	return rc;
}

void
prf_output_close(struct prf_output *output)
{
	prf_outdir_close(PRF_TAKE(output->dir));
}

int
prf_output_begin(const struct prf_output *output, pid_t pid,
		 struct prf_outfile **gmon, struct prf_outfile **symbols,
		 struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	PRF_AUTO(prf_auto_free) char *symbols_name = NULL;
	struct prf_outfile *first = NULL;
	int rc = name_for(output, pid, &name, err);

	*symbols = NULL;
	if (rc == 0)
		rc = prf_outfile_create(output->dir, name, &first, err);
	if (rc == 0 && !prf_outdir_in_place(output->dir, name)) {
		rc = symbols_name_for(name, &symbols_name, err);
		if (rc == 0)
			rc = prf_outfile_create(output->dir, symbols_name,
						symbols, err);
	}
	if (rc < 0) {
		prf_outfile_free(first);
		return rc;
	}
	*gmon = first;
	return 0;
}

int
prf_output_split_names(const struct prf_output *output, pid_t pid,
		       const char *const *objects, size_t n, char ***names,
		       struct prf_error *err)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;
	int rc = name_for(output, pid, &name, err);

	return rc < 0 ? rc : prf_outname_split(name, objects, n, names, err);
}

int
prf_output_begin_split(const struct prf_output *output, const char *name,
		       struct prf_outfile **file, struct prf_error *err)
{
	return prf_outfile_create(output->dir, name, file, err);
}
