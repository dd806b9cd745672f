import { isLoopback } from '#server/addresses.ts'
import type { Ctx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { listPresets, type PresetFacts } from '#server/operations/core/presets/list.ts'

/** What is true of this server, for people who have no account. */
export interface FrontPageFacts {
  readonly formats: readonly PresetFacts[]
  readonly payments: PaymentFacts
  readonly published: Deps['published']
  readonly supportMail: string | null
}

/** Whether anything is sold here, and whether that moves money. */
interface PaymentFacts {
  readonly isEnabled: boolean
  /** Other people can reach this server, and its payments move no money. */
  readonly isPublicTest: boolean
}

/** Changes only with the settings, the catalogue of the code and ffmpeg: at a start. */
export async function frontPageFacts(
  ctx: Pick<Ctx, 'db' | 'faces' | 'ffmpeg' | 'settings' | 'payments' | 'published'>,
): Promise<FrontPageFacts> {
  const presets = await listPresets(ctx)
  return {
    formats: presets.filter(({ isOffered }) => isOffered),
    payments: paymentFacts(ctx),
    published: ctx.published,
    supportMail: ctx.settings.supportMail,
  }
}

export function paymentFacts({
  settings,
  payments,
}: Pick<Deps, 'settings' | 'payments'>): PaymentFacts {
  const isEnabled = settings.takesPayments
  return {
    isEnabled,
    isPublicTest:
      isEnabled && !payments.movesMoney && !isLoopback(new URL(settings.publicOrigin).hostname),
  }
}
