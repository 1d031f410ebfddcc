/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_image.h - the BTF inside a kernel's file: an ELF vmlinux, or an image that boots (vmlinuz).
 *
 * The file is not trusted: each offset and size is checked.
 */
#ifndef CORETAP_BTF_BTF_IMAGE_H
#define CORETAP_BTF_BTF_IMAGE_H

/* An fd of raw BTF, which the caller closes: the file's own, if that is what it has. The last answer
 * for another one is kept, as unpacking takes up to a second. -EBADMSG: there is no BTF in it;
 * -ENOPKG: it is compressed in a format that is not read here; or another -errno. */
int btf_image_open(const char *path);
/* Words for an error of this, or of btf_view_open; of -ENOPKG, how to unpack it. */
const char *btf_image_why(int err);

#endif
