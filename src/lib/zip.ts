/** All files of one press in an archive, for browsers that save one file at a time. */

/**
 * A ZIP of files, which are not made smaller: pictures and videos are already. The browser holds it
 * outside the page's memory.
 */
export async function zipOf(files: readonly File[]): Promise<Blob> {
  // 3 kB that few visits need.
  const { downloadZip } = await import('client-zip')
  return downloadZip(files).blob()
}

/**
 * What the names of its files begin with: `beach.zip` of `beach-still-01.jpg` and
 * `beach-contact-sheet.jpg`.
 */
export function zipName(fileNames: readonly string[]): string {
  const [first = '', ...others] = fileNames
  const isCommon = (length: number): boolean =>
    others.every((name) => name.startsWith(first.slice(0, length)))
  let length = first.length
  while (!isCommon(length)) length -= 1
  const common = first.slice(0, length).replace(/\.[a-z0-9]*$/i, '')
  return `${common.replace(/[-_. ]+\d*$/, '') || 'edits'}.zip`
}
