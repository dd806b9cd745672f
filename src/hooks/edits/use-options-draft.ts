import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { optionsDraftKey, readOptionsDraft, type OptionsDraft } from '#src/local/db/form-drafts.ts'

export type { OptionsDraft } from '#src/local/db/form-drafts.ts'

/** The options that were left at an address to upload an asset; null value when there are none. */
export function useOptionsDraft(formPath: string): Live<OptionsDraft | null> {
  return useLive(optionsDraftKey(formPath), (db) => readOptionsDraft(db, formPath))
}

export interface OptionsDraftActions {
  /** Keeps what a form holds; resolves when it is on disk. */
  readonly keep: (draft: OptionsDraft) => Promise<void>
  readonly forget: () => Promise<void>
}

/** What can be done about the options that are left at an address. */
export function useOptionsDraftActions(formPath: string): OptionsDraftActions {
  const account = useAccount()
  const { clock } = useLocal()
  const key = optionsDraftKey(formPath)
  return {
    keep: async (value) => {
      await account?.db.drafts.put({ key, value, updatedAtEpochMs: clock.now() })
    },
    forget: async () => {
      await account?.db.drafts.delete(key)
    },
  }
}
