/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_image.h - the BTF inside a kernel's file: an ELF vmlinux, or an image that boots (vmlinuz).
 *
 * An image is unpacked by the program of this machine that does it (zstd, xz, …), so that none of
 * their libraries is linked. The file is not believed: each offset and size is checked.
 */
#ifndef CORETAP_BTF_BTF_IMAGE_H
#define CORETAP_BTF_BTF_IMAGE_H

/* An fd of raw BTF, which the caller closes: the file's own, if that is what it has. The last answer
 * for another one is kept, as unpacking takes up to a second. -EBADMSG: there is no BTF in it;
 * -ENOPKG: it is packed, and this machine lacks the program that unpacks it; or another -errno. */
int btf_image_open(const char *path);
/* Words for an error of this, or of btf_view_open; of -ENOPKG, which program is missing. */
const char *btf_image_why(int err);

#endif
