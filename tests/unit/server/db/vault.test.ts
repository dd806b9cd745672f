import { expect, it } from 'vitest'
import { seal, unseal } from '#server/db/vault.ts'

const LINK = 'https://www.dropbox.com/scl/fi/abc/scene.mp4?rlkey=secret&dl=1'
const row = { column: 'upload_imports.link_cipher', rowId: 'u-1', userId: 'p-1' }
const [older, newer, foreign] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

it('UPL-11 a secret opens in its own column and row only, also after the keys were replaced', () => {
  const sealed = seal({ signing: older }, LINK, row)
  expect(unseal({ accepted: [older] }, sealed, row)).toBe(LINK)
  expect(unseal({ accepted: [newer, older] }, sealed, row)).toBe(LINK)
  expect(unseal({ accepted: [foreign] }, sealed, row)).toBeNull()
  for (const other of [
    { column: 'external_auths.access_cipher' },
    { rowId: 'u-2' },
    { userId: 'p-2' },
  ])
    expect(unseal({ accepted: [older] }, sealed, { ...row, ...other })).toBeNull()
})

it('UPL-11 a sealed secret shows nothing of it, and no byte of it can be changed', () => {
  const sealed = seal({ signing: older }, LINK, row)
  expect(seal({ signing: older }, LINK, row)).not.toBe(sealed)
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('dropbox')
  const bytes = Buffer.from(sealed, 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(unseal({ accepted: [older] }, changed.toString('base64'), row)).toBeNull()
  }
})
