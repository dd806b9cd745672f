import { createWriteStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { plainFileName } from '#recipes/naming.ts'

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

/** A finished file of an archive. */
interface StoredMember {
  readonly name: string
  readonly sizeBytes: number
  readonly open: () => Promise<Readable>
}

/** An archive whose length is known before it is made. */
interface StoredArchive {
  readonly sizeBytes: number
  readonly stream: Readable
}

/**
 * An archive of finished files, not compressed, that is made while it is read, one file after the
 * other: nothing of it is on the disk or in memory. The same members and time make the same bytes,
 * so that a download can go on where it broke off. A file that cannot be read, or has another size,
 * breaks the stream off. Destroying the stream ends the making.
 */
export async function storedArchive(
  members: readonly StoredMember[],
  madeAt: Date,
): Promise<StoredArchive> {
  const zip = new ZipFile()
  const stream = new PassThrough()
  const taken = new Set<string>()
  let reading: Readable | null = null
  zip.on('error', (error: Error) => stream.destroy(error))
  stream.once('close', () => reading?.destroy())
  for (const { name, sizeBytes, open } of members)
    zip.addReadStreamLazy(
      freeName(plainFileName(name), taken),
      { compress: false, size: sizeBytes, mtime: madeAt },
      (done) => {
        if (stream.destroyed) return
        open().then(
          (content) => {
            reading = content
            if (stream.destroyed) content.destroy()
            content.on('error', (error) => stream.destroy(error))
            done(null, content)
          },
          (error: unknown) => done(error, Readable.from([])),
        )
      },
    )
  // Its types forget the argument, which is known at once where every size is.
  const sizeBytes = await new Promise<number>((resolve) => {
    zip.end(undefined, (bytes?: number) => resolve(bytes ?? 0))
  })
  zip.outputStream.pipe(stream)
  return { sizeBytes, stream }
}

/** With a number where a name is taken; Windows and macOS take `Beach` and `beach` for one. */
function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1)
    free = `${stem}-${number}${extension}`
  taken.add(free.toLowerCase())
  return free
}
