import { isLoopback } from '#server/addresses.ts'
import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { listPresets } from '#server/operations/presets/list.ts'
import { viewPreset } from '#server/views/preset.ts'
import { CLOUD_FILE_MAX_BYTES, LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'

/** What this server offers; an area that is false here has no screen. */
export function createSystemRoutes(deps: Deps) {
  return {
    getCapabilities: async () => ({
      status: 200,
      body: {
        capabilities: {
          presets: (await listPresets(deps))
            .map(viewPreset)
            .map(({ slug, isOffered }) => ({ slug, isOffered })),
          payments: viewPayments(deps),
          mail: {
            mode: deps.mailer.mode,
            localMailboxUrl: deps.settings.hasLocalMailbox ? '/dev/mail' : null,
          },
          humanVerification: { provider: deps.human.provider, siteKey: deps.human.siteKey },
          uploads: {
            maxUploadSizeBytes: LOCAL_FILE_MAX_BYTES,
            maxCloudUploadSizeBytes: CLOUD_FILE_MAX_BYTES,
            partSizeBytes: deps.settings.partSizeBytes,
            providers: ['s3-multipart' as const, 's3-singlepart' as const],
          },
          areas: {
            subscriptions: deps.settings.takesPayments,
            storedPaymentMethods: deps.settings.takesPayments,
            cardCheckout: deps.settings.takesPayments,
            referralCodes: deps.settings.takesPayments,
            externalAuths: false,
            orderCancel: true,
            orderReceipt: true,
          },
        },
      },
    }),
  } satisfies Partial<Handlers>
}

function viewPayments({ settings, payments }: Pick<Deps, 'settings' | 'payments'>) {
  const isEnabled = settings.takesPayments
  const cardProvider = isEnabled ? payments.name : ('none' as const)
  const isPublicTest =
    isEnabled && !payments.movesMoney && !isLoopback(new URL(settings.publicOrigin).hostname)
  return { isEnabled, cardProvider, isPublicTest, publishableKey: null }
}
