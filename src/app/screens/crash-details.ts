/**
 * What support needs of a failure, as text to copy. Nothing of the person: no address, no file
 * names, and of the page's address the path only.
 */
export function crashDetails(thrown: unknown, path: string, browser: string, at: Date): string {
  const name =
    thrown instanceof Error
      ? `${thrown.name}: ${thrown.message}`
      : 'Something that is not an error was thrown'
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  return [`Onecut, ${at.toISOString()}`, `Page: ${path}`, `Browser: ${browser}`, name, stack]
    .filter((line) => line !== '')
    .join('\n')
}
