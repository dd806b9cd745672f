/** The type of the archives that plans pack. Their members are outputs of the same edit, too. */
export const ARCHIVE_TYPE = 'application/zip'

/**
 * The files of edits without archives, whose members stand beside them: what is packed or saved
 * together holds each file once.
 */
export function singleFiles<T extends { readonly contentType?: string | null }>(
  files: readonly T[],
): T[] {
  return files.filter(({ contentType }) => contentType !== ARCHIVE_TYPE)
}
