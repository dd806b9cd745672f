import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { MAILBOX_COOKIE } from '#server/http/cookies.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { createKeptAnswers } from '#server/http/kept-answers.ts'
import { frontPageFacts, paymentFacts } from '#server/operations/core/front-page/facts.ts'
import { offeredImports } from '#server/operations/processing/imports/kinds/all.ts'
import { MAILBOX_PATH, opensMailbox } from '#server/operations/core/mail/local-mailbox.ts'
import { listPresets } from '#server/operations/core/presets/list.ts'
import { viewFrontPage } from '#server/views/front-page.ts'
import { viewPreset } from '#server/views/preset.ts'
import { CLOUD_FILE_MAX_BYTES, LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'

/** What this server offers; an area that is false here has no screen. */
export function createSystemRoutes(deps: Deps) {
  const kept = createKeptAnswers()
  return {
    getCapabilities: async ({ context }) => {
      const hasMailbox = opensMailbox(deps, context.cookies[MAILBOX_COOKIE])
      const localMailboxUrl = hasMailbox ? MAILBOX_PATH : null
      const name = `capabilities ${localMailboxUrl ?? ''}`
      return {
        raw: await kept.answer(name, context.headers, async () => ({
          capabilities: await viewCapabilities(deps, localMailboxUrl),
        })),
      }
    },
    getFrontPage: async ({ context }) => ({
      raw: await kept.answer('front page', context.headers, async () => ({
        frontPage: viewFrontPage(await frontPageFacts(deps)),
      })),
    }),
  } satisfies Partial<Handlers>
}

/** Changes with the settings and the catalogue of the code, at a start, and with the workers. */
async function viewCapabilities(
  deps: Deps,
  localMailboxUrl: string | null,
): Promise<components['schemas']['Capabilities']> {
  return {
    presets: (await listPresets(deps))
      .map(viewPreset)
      .map(({ slug, isOffered }) => ({ slug, isOffered })),
    payments: viewPayments(deps),
    mail: { mode: deps.mailer.mode, localMailboxUrl },
    supportMail: deps.settings.supportMail,
    pushKey: deps.push?.publicKey ?? null,
    frameOrigin: deps.settings.frameOrigin,
    humanVerification: { provider: deps.human.provider, siteKey: deps.human.siteKey },
    uploads: {
      maxUploadSizeBytes: LOCAL_FILE_MAX_BYTES,
      maxCloudUploadSizeBytes: CLOUD_FILE_MAX_BYTES,
      partSizeBytes: deps.settings.partSizeBytes,
      providers: ['s3-multipart' as const, 's3-singlepart' as const, ...offeredImports(deps)],
      drivePicker: drivePickerOf(deps.settings),
      importHosts: deps.outgoing.hosts.map(({ name }) => name),
    },
    areas: {
      subscriptions: deps.settings.takesPayments,
      storedPaymentMethods: deps.settings.takesPayments,
      cardCheckout: deps.settings.takesPayments,
      referralCodes: deps.settings.takesPayments,
      externalAuths: deps.googleDrive !== null,
      orderCancel: true,
      orderReceipt: true,
    },
  }
}

function drivePickerOf({ googleDrive }: Deps['settings']): 'redirect' | 'frame' | null {
  if (googleDrive === null) return null
  return googleDrive.pickerFrame === null ? 'redirect' : 'frame'
}

function viewPayments(deps: Pick<Deps, 'settings' | 'payments'>) {
  const { isEnabled, isPublicTest } = paymentFacts(deps)
  const cardProvider = isEnabled ? deps.payments.name : ('none' as const)
  return { isEnabled, cardProvider, isPublicTest, publishableKey: null }
}
