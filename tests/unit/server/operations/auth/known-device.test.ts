import { expect, it } from 'vitest'
import {
  DEVICE_KNOWN_S,
  knownDevice,
  markDevice,
} from '#server/operations/accounts/auth/known-device.ts'
import { fakeKey } from '#tests/fakes/key.ts'

const device = fakeKey(1)
const email = 'mara@example.com'
const at = (seconds: number) => ({ secrets: { device }, clock: () => new Date(seconds * 1000) })

it('TRU-05 the mark of a known browser counts for its address and its time only, whatever the browser keeps', () => {
  const mark = markDevice(at(1000), { email })
  const id = knownDevice(at(1000), { mark, email })
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(knownDevice(at(1000 + DEVICE_KNOWN_S - 1), { mark, email })).toBe(id)
  expect(knownDevice(at(1000 + DEVICE_KNOWN_S), { mark, email })).toBeNull()
  expect(knownDevice(at(1000), { mark, email: 'eve@example.com' })).toBeNull()
  const later = mark.replace(/\.\d+\./, `.${1001 + DEVICE_KNOWN_S}.`)
  expect(knownDevice(at(1000), { mark: later, email })).toBeNull()
  expect(knownDevice(at(1000), { mark: 'old.mark', email })).toBeNull()
})
