/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_image.h - the BTF inside a kernel's file: an ELF vmlinux, or an image that boots (vmlinuz).
 *
 * The file is not trusted: each offset and size is checked.
 */
#ifndef CORETAP_BTF_BTF_IMAGE_H
#define CORETAP_BTF_BTF_IMAGE_H

/* Returns an fd of raw BTF, which the caller closes. A file of raw BTF is opened itself; from another file BTF is
 * unpacked, which takes up to a second, so the last one is cached. Errors: -EBADMSG if the file has no BTF; -ENOPKG
 * if its compression is not supported; or another -errno. */
int btf_image_open(const char *path);
/* Text for an error of btf_image_open or btf_view_open. For -ENOPKG it says how to unpack the file. */
const char *btf_image_why(int err);

#endif
