/* SPDX-License-Identifier: MIT
 *
 * Line tables of listings, from texts as NVRTC 13.0, nvdisasm, GNU objdump 2.40, gcc 12 and clang
 * 14 print them: which source lines an instruction comes from, through functions inlined in others.
 */
#include "app/backend/listing.h"

#include <string.h>

typedef void (*ReadFunc) (SeamListing *listing, const char *text);

static SeamListing *
read_text (SeamListingKind kind, ReadFunc read, const char *text)
{
  SeamListing *listing = seam_listing_new (kind, g_strdup ("test"));

  read (listing, text);
  return listing;
}

/* The places of the only line that contains `word`, as ":14 kernels/ops.h:4". */
static char *
places_of (const SeamListing *listing, const char *word)
{
  g_auto (GStrv) lines = g_strsplit (listing->text, "\n", -1);
  GString *text = g_string_new (NULL);
  int found = -1;
  guint n = 0;

  for (int i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], word) != NULL) {
      g_assert_cmpint (found, ==, -1);
      found = i;
    }
  if (found < 0)
    g_error ("no line has “%s” in:\n%s", word, listing->text);
  const SeamListingPlace *places = seam_listing_get_places (listing, (guint)found, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s:%u", i > 0 ? " " : "",
                            (char *)listing->files->pdata[places[i].file], places[i].source_line);
  return g_string_free (text, FALSE);
}

static void
expect (const SeamListing *listing, const char *word, const char *wanted)
{
  g_autofree char *found = places_of (listing, word);

  if (strcmp (found, wanted) != 0)
    g_error ("“%s” comes from “%s”, not “%s”", word, found, wanted);
}

/* The lines that come from a source line, each as its first word. */
static void
expect_lines (const SeamListing *listing, const char *file, guint source_line, const char *wanted)
{
  g_autoptr (GArray) found = seam_listing_find_lines (listing, file, source_line);
  g_auto (GStrv) lines = g_strsplit (listing->text, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++) {
    const char *line = g_strstrip (lines[g_array_index (found, guint, i)]);
    g_string_append_printf (text, "%s%.*s", i > 0 ? " " : "", (int)strcspn (line, " \t"), line);
  }
  g_assert_cmpstr (text->str, ==, wanted);
}

static const char ptx[] = ".version 9.0\n"
                          ".target sm_90\n"
                          "\n"
                          "\n"
                          "\t// .globl\tk\n"
                          ".visible .entry k(\n"
                          "\t.param .u64 k_param_0\n"
                          ")\n"
                          ".maxntid 256, 1, 1\n"
                          "{\n"
                          "\t.reg .pred \t%p<2>;\n"
                          "\t.loc\t1 7 0\n"
                          "$L__func_begin0:\n"
                          "\t.loc\t1 7 0\n"
                          "\n"
                          "\tld.param.u64 \t%rd3, [k_param_0];\n"
                          "\t.loc\t1 10 3\n"
                          "\tcvta.to.global.u64 \t%rd4, %rd3;\n"
                          "\t@%p1 bra \t$L__BB0_2;\n"
                          "\t.loc\t1 14 5\n"
                          "\t.loc\t1 4 3, function_name $L__info_string0, inlined_at 1 14 5\n"
                          "\t.loc\t2 4 3, function_name $L__info_string1, inlined_at 1 4 3\n"
                          "\tmax.f32 \t%f3, %f2, 0f00000000;\n"
                          "\t.loc\t1 4 3, function_name $L__info_string0, inlined_at 1 14 5\n"
                          "\tmul.f32 \t%f4, %f3, 0f40200000;\n"
                          "\t.loc\t1 14 5\n"
                          "$L__BB0_2:\n"
                          "\tst.global.f32 \t[%rd15], %f4;\n"
                          "\t.loc\t9 1 1\n"
                          "\tret;\n"
                          "\n"
                          "}\n"
                          "\t// .globl\tother\n"
                          ".visible .entry other()\n"
                          "{\n"
                          "\texit;\n"
                          "}\n"
                          "\t.file\t1 \"/tmp/x/generated.cu\"\n"
                          "\t.file\t2 \"/tmp/x/kernels/ops.h\"\n"
                          "\t.section\t.debug_str\n"
                          "\t{\n"
                          "$L__info_string0:\n"
                          ".b8 95,90\n"
                          "\t}\n";

static void
test_ptx (void)
{
  g_autoptr (SeamListing) listing = read_text (SEAM_LISTING_PTX, seam_listing_read_loc, ptx);

  expect (listing, "ld.param", ":7");
  expect (listing, "cvta", ":10");
  expect (listing, "@%p1 bra", ":10");
  /* Three inlined functions deep, and out again. */
  expect (listing, "max.f32", "kernels/ops.h:4 :4 :14");
  expect (listing, "mul.f32", ":4 :14");
  expect (listing, "st.global", ":14");
  /* A file that is not named, and a function without line information. */
  expect (listing, "ret;", "");
  expect (listing, "exit;", "");
  /* Labels, declarations and directives have no source line, and directives for debuggers are
   * left out. */
  expect (listing, "$L__BB0_2:", "");
  expect (listing, ".reg .pred", "");
  g_assert_null (strstr (listing->text, ".loc"));
  g_assert_null (strstr (listing->text, ".file"));
  g_assert_null (strstr (listing->text, "$L__func_begin0"));
  g_assert_null (strstr (listing->text, ".b8 95"));
  g_assert_null (strstr (listing->text, "\n\n\n"));

  expect_lines (listing, "", 14, "max.f32 mul.f32 st.global.f32");
  expect_lines (listing, "", 4, "max.f32 mul.f32");
  expect_lines (listing, "kernels/ops.h", 4, "max.f32");
  expect_lines (listing, "kernels/ops.h", 14, "");
  expect_lines (listing, "nothing.h", 4, "");
}

/* Output of `nvdisasm --print-code --print-line-info-inline`. */
static const char sass[] =
    "\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n"
    "\n"
    "//--------------------- .text.k                 --------------------------\n"
    "\t.section\t.text.k,\"ax\",@progbits\n"
    "\t.sectioninfo\t@\"SHI_REGISTERS=10\"\n"
    "        .global         k\n"
    "        .size           k,(.L_x_2 - k)\n"
    ".text.k:\n"
    "\t//## File \"/tmp/x/generated.cu\", line 7\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    "\t//## File \"/tmp/x/generated.cu\", line 13\n"
    "        /*0010*/               @P0 EXIT ;\n"
    "\t//## File \"/tmp/x/kernels/ops.h\", line 4 inlined at \"/tmp/x/generated.cu\", line 4\n"
    "\t//## File \"/tmp/x/generated.cu\", line 4 inlined at \"/tmp/x/generated.cu\", line 14\n"
    "\t//## File \"/tmp/x/generated.cu\", line 14\n"
    "        /*0020*/                   FMNMX R5, RZ, R2, !PT ;\n"
    "        /*0030*/                   FMUL R5, R5, 2.5 ;\n"
    ".L_x_0:\n"
    "\t//## File \"/tmp/x/generated.cu\", line 14\n"
    "        /*0040*/                   STG.E desc[UR4][R2.64], R5 ;\n"
    "        /*0050*/                   BRA `(.L_x_0);\n"
    ".L_x_2:\n"
    "\n"
    "//--------------------- .text.other             --------------------------\n"
    ".text.other:\n"
    "        /*0000*/                   NOP;\n";

static void
test_sass (void)
{
  g_autoptr (SeamListing) listing = read_text (SEAM_LISTING_SASS, seam_listing_read_sass, sass);

  expect (listing, "LDC R1", ":7");
  expect (listing, "@P0", ":13");
  expect (listing, "FMNMX", "kernels/ops.h:4 :4 :14");
  expect (listing, "FMUL", "kernels/ops.h:4 :4 :14");
  expect (listing, "STG.E", ":14");
  expect (listing, "BRA", ":14");
  expect (listing, ".L_x_0:", "");
  expect (listing, "NOP", "");
  g_assert_nonnull (strstr (listing->text, "  /*0010*/ @P0    EXIT ;\n"));
  g_assert_nonnull (strstr (listing->text, "  /*0020*/        FMNMX R5, RZ, R2, !PT ;\n"));
  g_assert_null (strstr (listing->text, "//##"));
  g_assert_null (strstr (listing->text, ".section"));
}

/* cuobjdump knows no lines; it prints the encoding beside and below the instructions. */
static void
test_sass_plain (void)
{
  g_autoptr (SeamListing) listing = read_text (
      SEAM_LISTING_SASS, seam_listing_read_sass,
      "\tcode for sm_90\n"
      "\t\tFunction : k\n"
      "\t.headerflags\t@\"EF_CUDA_SM90\"\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;    /* 0x00000a00ff017b82 */\n"
      "                                                             /* 0x000fe20000000800 */\n");

  g_assert_cmpstr (listing->text, ==,
                   "Function : k\n"
                   "  /*0000*/        LDC R1, c[0x0][0x28] ;\n");
  g_assert_cmpuint (listing->places->len, ==, 0);
}

/* The innermost place is printed only when it changes, its callers always. */
static const char objdump[] = "\n"
                              "group.o:     file format elf64-x86-64\n"
                              "\n"
                              "\n"
                              "Disassembly of section .text:\n"
                              "\n"
                              "<stage_0>:\n"
                              "stage_0():\n"
                              "/tmp/x/group.c:23\n"
                              "\tmov    0xc8(%rdi),%rax\n"
                              "/tmp/x/group.c:24\n"
                              "\ttest   %rsi,%rsi\n"
                              "\tvbroadcastss 0x0(%rip),%ymm9        # <stage_0+0x3d>\n"
                              "seam_op_add():\n"
                              "/tmp/x/./kernels/ops.h:56 (discriminator 1)\n"
                              "inlined by /tmp/x/group.c:30 (stage_0)\n"
                              "\tvaddps (%rcx,%rax,1),%ymm10,%ymm2\n"
                              "inlined by /tmp/x/group.c:30 (stage_0)\n"
                              "\tvcmpltps %ymm4,%ymm2,%k3\n"
                              "inlined by /tmp/x/group.c:32 (stage_0)\n"
                              "\tknotb  %k3,%k1\n"
                              "/tmp/x/./kernels/cpu/exp.h:9\n"
                              "inlined by /tmp/x/./kernels/ops.h:99\n"
                              "inlined by /tmp/x/group.c:33 (stage_0)\n"
                              "\tvdivps %ymm8,%ymm0,%ymm1\n"
                              "stage_0():\n"
                              "/tmp/x/group.c:36 (discriminator 1)\n"
                              "\tvmovups %ymm0,(%rdx,%rax,1)\n"
                              "<stage_1>:\n"
                              "\tret\n";

static void
test_objdump (void)
{
  g_autoptr (SeamListing) listing =
      read_text (SEAM_LISTING_NATIVE, seam_listing_read_objdump, objdump);
  g_autofree char *note = seam_listing_describe_native (listing->text);

  expect (listing, "mov ", ":23");
  expect (listing, "vbroadcastss", ":24");
  expect (listing, "vaddps", "kernels/ops.h:56 :30");
  expect (listing, "vcmpltps", "kernels/ops.h:56 :30");
  expect (listing, "knotb", "kernels/ops.h:56 :32");
  expect (listing, "vdivps", "kernels/cpu/exp.h:9 kernels/ops.h:99 :33");
  expect (listing, "vmovups", ":36");
  expect (listing, "ret", "");
  g_assert_null (strstr (listing->text, "inlined by"));
  g_assert_null (strstr (listing->text, "stage_0():"));
  g_assert_true (g_str_has_prefix (listing->text, "<stage_0>:\n\tmov"));
  expect_lines (listing, "kernels/ops.h", 56, "vaddps vcmpltps knotb");
  expect_lines (listing, "", 30, "vaddps vcmpltps");
  /* Registers ymm 0, 1, 2, 4, 8, 9 and 10. */
  g_assert_nonnull (strstr (note, "up to 256 bits, 7 registers"));
  g_assert_nonnull (strstr (note, "none spilled"));
}

/* `cc -S -g1` of gcc; and of clang, with file 0, separate folders, and words after the column. */
static void
test_assembler (void)
{
  g_autoptr (SeamListing) gcc = read_text (SEAM_LISTING_NATIVE, seam_listing_read_loc,
                                           "\t.file\t\"group.c\"\n"
                                           "\t.text\n"
                                           "\t.file 0 \"/tmp/x\" \"group.c\"\n"
                                           "\t.type\tstage_0, @function\n"
                                           "stage_0:\n"
                                           ".LFB11:\n"
                                           "\t.file 1 \"group.c\"\n"
                                           "\t.loc 1 21 1\n"
                                           "\t.cfi_startproc\n"
                                           "\tmovq\t200(%rdi), %rax\n"
                                           "\t.file 2 \"./kernels/ops.h\"\n"
                                           "\t.loc 2 56 12 discriminator 1\n"
                                           "\tvaddps\t%ymm1, %ymm2, %ymm3\n"
                                           ".L2:\n"
                                           "\tvmovaps\t%ymm3, 32(%rsp)\n"
                                           "\t.section\t.debug_info,\"\",@progbits\n"
                                           "\t.long\t0x9d\n");
  g_autoptr (SeamListing) clang =
      read_text (SEAM_LISTING_NATIVE, seam_listing_read_loc,
                 "\t.file\t0 \"/tmp/x\" \"group.c\" md5 0xd862da\n"
                 "\t.loc\t0 25 26 prologue_end            # group.c:25:26\n"
                 "\tmovq\t(%rdi), %rax\n"
                 "\t.loc\t0 0 1 is_stmt 0                 # group.c:0:1\n"
                 "\taddq\t$8, %rax\n"
                 "\t.file\t1 \"./kernels\" \"ops.h\" md5 0x4494\n"
                 "\t.loc\t1 56 12 is_stmt 1               # ./kernels/ops.h:56:12\n"
                 "\tvaddps\t%ymm1, %ymm2, %ymm3\n");
  g_autofree char *note = seam_listing_describe_native (gcc->text);

  expect (gcc, "movq", ":21");
  expect (gcc, "vaddps", "kernels/ops.h:56");
  expect (gcc, ".L2:", "");
  g_assert_null (strstr (gcc->text, ".cfi"));
  g_assert_null (strstr (gcc->text, "0x9d"));
  g_assert_nonnull (strstr (note, "3 registers"));
  g_assert_nonnull (strstr (note, "some spilled"));
  expect (clang, "movq", ":25");
  expect (clang, "addq", "");
  expect (clang, "vaddps", "kernels/ops.h:56");
}

static void
test_annotate (void)
{
  g_autoptr (SeamListing) listing = read_text (SEAM_LISTING_PTX, seam_listing_read_loc, ptx);
  g_autofree char *text = seam_listing_annotate (
      listing, "1\n2\n3\n  return x;\n5\n6\nk ()\n8\n9\n int i = 0;\n11\n12\n13\n  y = 1;\n");

  g_assert_nonnull (strstr (text, "// 7: k ()\n\tld.param"));
  g_assert_nonnull (strstr (text, "// 10: int i = 0;\n\tcvta"));
  /* Code inlined from another file is listed under the line that calls it. */
  g_assert_nonnull (strstr (text, "// 4: return x;\n\tmax.f32"));
  g_assert_nonnull (strstr (text, "// 14: y = 1;\n\tst.global"));
  /* Lines beyond the end of the source are ignored. */
  g_autofree char *shorter = seam_listing_annotate (listing, "1\n");
  g_assert_cmpstr (shorter, ==, listing->text);
}

static void
test_ptxas (void)
{
  g_autofree char *one = seam_listing_describe_ptxas (
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem\n"
      "ptxas info    : Compile time = 4.824 ms\n");
  g_autofree char *two = seam_listing_describe_ptxas (
      "ptxas info    : Compiling entry function 'a' for 'sm_80'\n"
      "    24 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 255 registers, 400 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_80'\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 400 bytes cmem[0]\n");
  g_autofree char *none = seam_listing_describe_ptxas ("");

  g_assert_cmpstr (one, ==,
                   "k: 10 registers a thread, no spills, 1024 bytes of static shared memory.");
  g_assert_cmpstr (two, ==,
                   "a: 255 registers a thread, spills of 16 bytes stored and 8 loaded, a stack of "
                   "24 bytes.\nb: 8 registers a thread, no spills.");
  g_assert_null (none);
}

static void
test_variant (void)
{
  g_autoptr (SeamListing) listing = read_text (SEAM_LISTING_PTX, seam_listing_read_loc, ptx);
  g_autoptr (GVariant) variant = NULL;
  g_autoptr (SeamListing) read = NULL;
  g_autoptr (GError) error = NULL;

  listing->note = g_strdup ("a note");
  variant = g_variant_ref_sink (seam_listing_to_variant (listing));
  read = seam_listing_from_variant (variant, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read->kind, ==, SEAM_LISTING_PTX);
  g_assert_cmpstr (read->title, ==, "test");
  g_assert_cmpstr (read->note, ==, "a note");
  g_assert_cmpstr (read->text, ==, listing->text);
  expect (read, "max.f32", "kernels/ops.h:4 :4 :14");
}

static void
test_variant_bad (void)
{
  static const char *const texts[] = {
    "@a{sv} {}",
    "{'kind': <'ptx'>}",
    "{'kind': <'what'>, 'text': <''>}",
    "{'kind': <'ptx'>, 'text': <''>, 'files': <['']>, 'places': <[@u 0, 1, 1]>}",
    "{'kind': <'ptx'>, 'text': <''>, 'files': <['']>, 'places': <[@u 0, 0]>}",
    "{'kind': <'ptx'>, 'text': <''>, 'files': <['']>, 'places': <[@u 5, 0, 1, 4, 0, 1]>}",
    "{'kind': <'ptx'>, 'text': <''>, 'places': <5>}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GVariant) variant = g_variant_parse (NULL, texts[i], NULL, NULL, NULL);
    g_autoptr (GError) error = NULL;

    g_assert_nonnull (variant);
    if (seam_listing_from_variant (variant, &error) != NULL)
      g_error ("believed: %s", texts[i]);
    g_assert_nonnull (error);
  }
}

/* No output of a tool makes a reader fail. */
static void
test_foreign (void)
{
  static const ReadFunc readers[] = { seam_listing_read_loc, seam_listing_read_sass,
                                      seam_listing_read_objdump };
  static const char *const texts[] = {
    "",
    "\n\n",
    "\t.loc",
    "\t.loc 1\n\tadd\n",
    "\t.loc 99999999999999999999 1 1\n\tadd\n",
    "\t.file 1\n\t.loc 1 1 1, inlined_at\n\tadd\n",
    "\t.file 1 \"a\n\t.loc 1 1 1, inlined_at 1 1 1\n\tadd\n",
    "\t.file 1 \"a\"\n\t.loc 1 1 1, inlined_at 1 1 1\n\tadd\n",
    "//## File \"a\n//## File\n//## File \"a\", line x inlined at \"\n/*0*/ A\n/*\n*/\n",
    "/:\ninlined by \ninlined by /a:x\n/a/b:1\n\tadd\n<\n",
    "/*\xff*/ \xff\xfe\n\t\xff\n",
  };

  for (guint r = 0; r < G_N_ELEMENTS (readers); r++)
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
      g_autoptr (SeamListing) listing = read_text (SEAM_LISTING_PTX, readers[r], texts[i]);
      g_autofree char *text = seam_listing_annotate (listing, "one\n");
      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/listing/ptx", test_ptx);
  g_test_add_func ("/listing/sass", test_sass);
  g_test_add_func ("/listing/sass-plain", test_sass_plain);
  g_test_add_func ("/listing/objdump", test_objdump);
  g_test_add_func ("/listing/assembler", test_assembler);
  g_test_add_func ("/listing/annotate", test_annotate);
  g_test_add_func ("/listing/ptxas", test_ptxas);
  g_test_add_func ("/listing/variant", test_variant);
  g_test_add_func ("/listing/variant-bad", test_variant_bad);
  g_test_add_func ("/listing/foreign", test_foreign);
  return g_test_run ();
}
