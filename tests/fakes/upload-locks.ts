import type { UploadLocks } from '#src/local/uploads/ports.ts'

/** Locks of one origin; `holder` is the context, so that its crash frees them. */
export interface FakeLocks {
  of(holder: object): UploadLocks
  crash(holder: object): void
}

interface Claim {
  readonly name: string
  readonly holder: object
  grant: () => void
  isGranted: boolean
}

export function createFakeLocks(): FakeLocks {
  const claims: Claim[] = []
  const dead = new WeakSet<object>()
  const grantNext = (name: string): void => {
    const queue = claims.filter((claim) => claim.name === name)
    const first = queue[0]
    if (first === undefined || first.isGranted) return
    first.isGranted = true
    first.grant()
  }
  const remove = (claim: Claim): void => {
    const index = claims.indexOf(claim)
    if (index !== -1) claims.splice(index, 1)
    grantNext(claim.name)
  }
  return {
    of: (holder) => ({
      withLock: async (name, signal, work) => {
        signal.throwIfAborted()
        // A killed process never continues.
        if (dead.has(holder)) return new Promise<never>(() => undefined)
        const claim: Claim = { name, holder, grant: () => undefined, isGranted: false }
        await new Promise<void>((resolve, reject) => {
          const onAbort = (): void => {
            if (claim.isGranted) return
            remove(claim)
            reject(signal.reason)
          }
          claim.grant = resolve
          signal.addEventListener('abort', onAbort, { once: true })
          claims.push(claim)
          grantNext(name)
        })
        try {
          return await work()
        } finally {
          remove(claim)
        }
      },
      withFreeLock: async (name, work) => {
        if (dead.has(holder)) return new Promise<never>(() => undefined)
        if (claims.some((claim) => claim.name === name)) return null
        const claim: Claim = { name, holder, grant: () => undefined, isGranted: true }
        claims.push(claim)
        try {
          return await work()
        } finally {
          remove(claim)
        }
      },
      isHeld: (name) =>
        Promise.resolve(claims.some((claim) => claim.name === name && claim.isGranted)),
      isAwaited: (name) =>
        Promise.resolve(claims.some((claim) => claim.name === name && !claim.isGranted)),
    }),
    crash: (holder) => {
      dead.add(holder)
      for (const claim of claims.filter((known) => known.holder === holder)) remove(claim)
    },
  }
}
