import { createHash } from 'node:crypto'
import type { ObjectStore } from './port.ts'

/** The hash of a whole object, in hexadecimal digits. Rejects with the reason of `signal`. */
export async function hashObject(
  store: Pick<ObjectStore, 'read'>,
  objectKey: string,
  algorithm: 'sha256' | 'md5',
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of (await store.read(objectKey)) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}
