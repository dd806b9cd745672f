/**
 * The network of one device, which can be cut: then nothing arrives and nothing is answered, while
 * every connection seems to stay open.
 */
export interface Gate {
  /**
   * Resolves while the network is whole. On a cut network it waits for a mending that connections
   * outlive, or rejects once the client has gone.
   */
  pass(gone: Promise<void>): Promise<void>
  cut(): void
  isCut(): boolean
  /**
   * `outlived`: earlier connections continue where they were, as after a short tunnel. Otherwise
   * only new ones work.
   */
  mend(connections: 'outlived' | 'dead'): void
}

export function createGate(): Gate {
  let mending: PromiseWithResolvers<void> | null = null
  return {
    pass: async (gone) => {
      if (mending === null) return
      await Promise.race([
        mending.promise,
        gone.then(() => {
          throw new Error('the client has gone')
        }),
      ])
    },
    cut: () => {
      mending ??= Promise.withResolvers<void>()
    },
    isCut: () => mending !== null,
    mend: (connections) => {
      if (connections === 'outlived') mending?.resolve()
      mending = null
    },
  }
}
