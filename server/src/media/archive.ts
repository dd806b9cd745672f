import { createWriteStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { freeName } from './free-name.ts'

/** A file to pack and its name inside the archive. */
export interface ArchiveMember {
  readonly path: string
  readonly name: string
}

/**
 * Packs finished pictures and videos without compressing them again (it would save nothing). Same
 * names get a number. Rejects when aborted, and when a file cannot be read.
 */
export async function packArchive(
  target: string,
  members: readonly ArchiveMember[],
  signal: AbortSignal,
): Promise<void> {
  const zip = new ZipFile()
  const packed = createWriteStream(target)
  // The library reports here what it cannot read; `pipeline` rejects with the same.
  zip.on('error', (error: Error) => packed.destroy(error))
  const taken = new Set<string>()
  for (const member of members)
    zip.addFile(member.path, freeName(member.name, taken), { compress: false })
  zip.end()
  await pipeline(zip.outputStream, packed, { signal })
}

/** A file whose bytes are made when they are read, and its name inside the archive. */
interface StreamedMember {
  readonly name: string
  readonly chunks: AsyncIterable<string | Uint8Array>
}

/**
 * An archive that is made while it is read, one member after the other, each when the one before is
 * packed. A member that cannot be made breaks the stream off, so that half an archive is not
 * taken for a whole one. Destroying the stream ends the making.
 */
export function streamArchive(members: AsyncIterable<StreamedMember>): Readable {
  const zip = new ZipFile()
  const archive = new PassThrough()
  // The library reports here what it reads; `fill` rejects with the same.
  zip.on('error', (error: Error) => archive.destroy(error))
  zip.outputStream.pipe(archive)
  fill(zip, archive, members).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return archive
}

async function fill(
  zip: ZipFile,
  archive: PassThrough,
  members: AsyncIterable<StreamedMember>,
): Promise<void> {
  for await (const { name, chunks } of members) {
    // It may have been destroyed while this member was looked for, and says so only once.
    if (archive.destroyed) return
    const content = Readable.from(chunks, { objectMode: false })
    const giveUp = (): void => void content.destroy()
    archive.once('close', giveUp)
    zip.addReadStream(content, name)
    await finished(content)
    archive.off('close', giveUp)
  }
  zip.end()
}
