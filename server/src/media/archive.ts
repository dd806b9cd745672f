import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file to pack and its name inside the archive. */
export interface ArchiveMember {
  readonly path: string
  readonly name: string
}

/**
 * Packs finished pictures and videos without compressing them again (it would save nothing). Same
 * names get a number.
 */
export async function packArchive(
  target: string,
  members: readonly ArchiveMember[],
  signal: AbortSignal,
): Promise<void> {
  const zip = new ZipFile()
  const taken = new Set<string>()
  for (const member of members)
    zip.addFile(member.path, freeName(member.name, taken), { compress: false })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(target), { signal })
}

function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${stem}-${number}${extension}`
  taken.add(free)
  return free
}
