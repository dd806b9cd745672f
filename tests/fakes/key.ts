import type { Key } from '#server/db/secrets.ts'

/** A key of one repeated byte, and those that it replaced. */
export function fakeKey(byte: number, ...replaced: readonly number[]): Key {
  const [signing, ...others] = [byte, ...replaced].map((each) => new Uint8Array(32).fill(each))
  if (signing === undefined) throw new Error('A key needs a byte')
  return { signing, accepted: [signing, ...others] }
}
