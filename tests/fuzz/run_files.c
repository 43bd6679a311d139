/* The main of a fuzz target where there is no libFuzzer: runs it on the files
 * it is given. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

static int
run(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t n_bytes = 0, room = 1 << 16, n;
	uint8_t *bytes = malloc(room);

	while (file && bytes &&
	       (n = fread(bytes + n_bytes, 1, room - n_bytes, file)) > 0) {
		n_bytes += n;
		if (n_bytes == room)
			bytes = realloc(bytes, room *= 2);
	}
	if (!file || !bytes || ferror(file)) {
		perror(path);
		return 1;
	}
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, n_bytes);
	free(bytes);
	return 0;
}

int
main(int argc, char **argv)
{
	int status = argc < 2;

	for (int i = 1; i < argc; i++)
		status |= run(argv[i]);
	return status;
}
