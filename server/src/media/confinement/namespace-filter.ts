/** Numbers of system calls, and how the kernel calls the machine (linux/audit.h). */
interface Machine {
  readonly audit: number
  readonly clone: number
  readonly unshare: number
  readonly setns: number
}

const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: { audit: 0xc000003e, clone: 56, unshare: 272, setns: 308 },
  arm64: { audit: 0xc00000b7, clone: 220, unshare: 97, setns: 268 },
}
/** The same on both. */
const CLONE3 = 435
const CLONE_NEWUSER = 0x10000000
/** Calls of the other kind of x86 programs, with numbers of their own, begin here. */
const X32_FROM = 0x40000000

const LOAD = 0x20
const IS_EQUAL = 0x15
const IS_AT_LEAST = 0x35
const HAS_BIT = 0x45
const RETURN = 0x06

/** Where the kernel has the machine, the call and the low half of its first argument. */
const AT = { machine: 4, call: 0, flags: 16 } as const
const ANSWER = {
  allow: 0x7fff0000,
  /** EPERM. */
  deny: 0x00050001,
  /** ENOSYS: libraries then use `clone`, whose flags a filter can read. */
  unknown: 0x00050026,
  kill: 0x80000000,
} as const

/**
 * A filter of system calls (seccomp, classic BPF) that lets a program make and enter no user
 * namespace, in which it would have rights over the network and mounts of its own: most holes of
 * the kernel that a program without rights can use begin there. Null on machines whose numbers are
 * not known here.
 */
export function namespaceFilter(architecture: NodeJS.Architecture = process.arch): Buffer | null {
  const machine = MACHINES[architecture]
  if (machine === undefined) return null
  // Code, lines to skip when it is so and when it is not, and a value.
  const lines: readonly (readonly [number, number, number, number])[] = [
    [LOAD, 0, 0, AT.machine],
    [IS_EQUAL, 0, 11, machine.audit],
    [LOAD, 0, 0, AT.call],
    [IS_AT_LEAST, 7, 0, X32_FROM],
    [IS_EQUAL, 7, 0, CLONE3],
    [IS_EQUAL, 5, 0, machine.setns],
    [IS_EQUAL, 1, 0, machine.unshare],
    [IS_EQUAL, 0, 2, machine.clone],
    [LOAD, 0, 0, AT.flags],
    [HAS_BIT, 1, 0, CLONE_NEWUSER],
    [RETURN, 0, 0, ANSWER.allow],
    [RETURN, 0, 0, ANSWER.deny],
    [RETURN, 0, 0, ANSWER.unknown],
    [RETURN, 0, 0, ANSWER.kill],
  ]
  const filter = Buffer.alloc(lines.length * 8)
  for (const [line, [code, whenSo, whenNot, value]] of lines.entries()) {
    filter.writeUInt16LE(code, line * 8)
    filter.writeUInt8(whenSo, line * 8 + 2)
    filter.writeUInt8(whenNot, line * 8 + 3)
    filter.writeUInt32LE(value, line * 8 + 4)
  }
  return filter
}
