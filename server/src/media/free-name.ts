/** With a number where a name is taken; Windows and macOS take `Beach` and `beach` for one. */
export function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1)
    free = `${stem}-${number}${extension}`
  taken.add(free.toLowerCase())
  return free
}
