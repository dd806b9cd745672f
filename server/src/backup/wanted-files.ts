import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { placeOfPart } from '#server/object-store/part-place.ts'
import type { KeptFile } from './folder.ts'
import { factsOf } from './kept-files.ts'
import type { Snapshot } from './snapshot.ts'
import { compareSums, type StoredSums } from './stored-sums.ts'

/** A file, or a part of one, that a backup is to hold. */
export interface WantedFile {
  /** Its name in the backup folder, which no other version of it has. */
  readonly file: string
  readonly path: string
  readonly offset: number
  readonly sizeBytes: number
  readonly changedAtMs: number
  /** By what its bytes are compared when they are copied. */
  readonly sums: StoredSums | null
  /** Its line in the list, or a sentence that says why it has none. */
  toKept(sha256: string): KeptFile | string
}

/** All files that a backup of these rows is to hold. */
export async function listWanted(
  { objects, uploads }: Snapshot,
  dataDir: string,
  now: Date,
): Promise<readonly WantedFile[]> {
  return [
    ...(await wantedObjects(objects)),
    ...(await wantedMusic(dataDir)),
    ...wantedParts(uploads, now),
  ]
}

async function wantedObjects(objects: Snapshot['objects']): Promise<WantedFile[]> {
  const wanted: WantedFile[] = []
  for (const { file: named, path } of objects) {
    const facts = await factsOf(path)
    if (facts === null) throw new Error(`The pinned file of ${named.key} is gone`)
    const file = versionOf(named.key, facts)
    wanted.push({
      ...facts,
      file,
      path,
      offset: 0,
      sums: compareSums(named),
      toKept: (sha256) => ({ kind: 'object', key: named.key, file, ...facts, sha256 }),
    })
  }
  return wanted
}

/** Tracks that the operator put into the data folder. */
async function wantedMusic(dataDir: string): Promise<WantedFile[]> {
  const folder = join(dataDir, 'music')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const wanted: WantedFile[] = []
  for (const entry of found) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const facts = await factsOf(from)
    if (facts === null) continue
    const path = relative(folder, from).split(sep).join('/')
    const file = versionOf(`own-music/${path}`, facts)
    wanted.push({
      ...facts,
      file,
      path: from,
      offset: 0,
      sums: null,
      toKept: (sha256) => ({ kind: 'music', path, file, ...facts, sha256 }),
    })
  }
  return wanted
}

function wantedParts(uploads: Snapshot['uploads'], now: Date): WantedFile[] {
  return uploads.flatMap(({ upload, path }) =>
    upload.parts.map(({ partNumber, eTag }) => {
      const { offset, sizeBytes } = placeOfPart(upload, partNumber)
      const file = `parts/${upload.id}/${partNumber}~${eTag}`
      const uploadId = upload.id
      return {
        file,
        path,
        offset,
        sizeBytes,
        changedAtMs: now.getTime(),
        sums: null,
        // Its device sent another one meanwhile, or the disk damaged it: it is sent again.
        toKept: (sha256: string) =>
          sha256 === eTag
            ? { kind: 'part' as const, uploadId, partNumber, file, sizeBytes, sha256 }
            : `part ${partNumber} of the unfinished upload ${uploadId} is another one by now`,
      }
    }),
  )
}

function versionOf(key: string, { changedAtMs }: { readonly changedAtMs: number }): string {
  return `${key}~${changedAtMs.toString(36)}`
}
