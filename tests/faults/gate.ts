/**
 * One lane's line, which can be cut: nothing arrives and nothing is answered, while every
 * connection seems to stand.
 */
export interface Gate {
  /**
   * Resolves while the line is whole. On a cut one it waits for a mending that connections outlive,
   * or rejects once the client has gone.
   */
  pass(gone: Promise<void>): Promise<void>
  cut(): void
  /**
   * `outlived`: connections from before go on where they were, as after a short tunnel. Otherwise
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
    mend: (connections) => {
      if (connections === 'outlived') mending?.resolve()
      mending = null
    },
  }
}
