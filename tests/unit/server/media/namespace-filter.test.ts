import { expect, it } from 'vitest'
import { namespaceFilter } from '#server/media/confinement/namespace-filter.ts'

const NEWUSER = 0x10000000
const [ALLOW, EPERM, ENOSYS, KILL] = [0x7fff0000, 0x50001, 0x50026, 0x80000000]

/** What the kernel answers for a call: it runs the lines with this data (linux/filter.h). */
function answer(filter: Buffer, machine: number, call: number, flags = 0): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call, 0)
  data.writeUInt32LE(machine, 4)
  data.writeUInt32LE(flags, 16)
  let loaded = 0
  for (let line = 0; ; line += 1) {
    const value = filter.readUInt32LE(line * 8 + 4)
    const jump = (isSo: boolean): number => filter.readUInt8(line * 8 + (isSo ? 2 : 3))
    switch (filter.readUInt16LE(line * 8)) {
      case 0x20:
        loaded = data.readUInt32LE(value)
        break
      case 0x15:
        line += jump(loaded === value)
        break
      case 0x35:
        line += jump(loaded >= value)
        break
      case 0x45:
        line += jump((loaded & value) !== 0)
        break
      default:
        return value
    }
  }
}

it.each([
  ['x64', 0xc000003e, { read: 0, clone: 56, unshare: 272, setns: 308 }],
  ['arm64', 0xc00000b7, { read: 63, clone: 220, unshare: 97, setns: 268 }],
] as const)('TRU-03 keeps user namespaces from a tool on %s', (architecture, machine, calls) => {
  const filter = namespaceFilter(architecture) ?? Buffer.alloc(0)
  const ask = (call: number, flags = 0) => answer(filter, machine, call, flags)
  expect(ask(calls.read)).toBe(ALLOW)
  // A thread, and namespaces that need rights.
  expect([ask(calls.clone, 0x3d0f00), ask(calls.unshare, 0x20000)]).toEqual([ALLOW, ALLOW])
  expect([ask(calls.clone, NEWUSER | 17), ask(calls.unshare, NEWUSER)]).toEqual([EPERM, EPERM])
  expect([ask(calls.setns), ask(435)]).toEqual([EPERM, ENOSYS])
  expect(ask(0x40000000 + calls.unshare, NEWUSER)).toBe(EPERM)
  expect(answer(filter, 0x40000003, calls.read)).toBe(KILL)
})

it('TRU-03 has no filter where the numbers of calls are not known', () => {
  expect(namespaceFilter('riscv64')).toBeNull()
})
