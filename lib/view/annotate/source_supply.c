#include "view/annotate/source_supply.h"

bool
prf_source_supply_is_newer(const struct prf_source_supply *supply,
			   const struct prf_source_text *text,
			   const struct prf_annotated_line *lines, size_t n)
{
	bool is = false;

	for (size_t i = 0; !is && i < n && supply->built; i++) {
		if (i > 0 && lines[i].binary == lines[i - 1].binary)
			continue;
		time_t built = supply->built(supply->arg, lines[i].binary);

		is = built && text->mtime.tv_sec > built;
	}
	return is;
}
