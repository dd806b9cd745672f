import { Readable } from 'node:stream'
import type { Deps } from '#server/deps.ts'
import type { Handlers, RawAnswer } from '#server/http/handlers.ts'
import { asUser, signedOut, type RequestContext } from '#server/http/request-context.ts'
import { requestDeletion } from '#server/operations/workflows/request-deletion.ts'
import {
  listDevices,
  signOutDevice,
  signOutOthers,
} from '#server/operations/accounts/auth/devices.ts'
import { exportAccount } from '#server/operations/workflows/account-export.ts'
import {
  getCurrentUser,
  readProfile,
  updateProfile,
} from '#server/operations/accounts/users/profile.ts'
import { exportArchive } from '#server/views/account-export.ts'
import { viewSession } from '#server/views/session.ts'
import { viewFlags, viewProfile, viewUser } from '#server/views/user.ts'
import { contentDisposition } from './byte-range.ts'

/** The signed-in person and their profile. */
export function createUserRoutes(deps: Deps) {
  return {
    getCurrentUser: async ({ context }) => {
      const facts = await getCurrentUser(asUser(deps, context))
      return {
        status: 200,
        body: {
          user: viewUser(facts),
          userProfile: viewProfile(facts.user),
          flags: viewFlags(facts),
        },
      }
    },
    getProfile: async ({ params, context }) => ({
      status: 200,
      body: { userProfile: viewProfile(await readProfile(asUser(deps, context), params)) },
    }),
    updateProfile: async ({ params, body, context }) => {
      const profile = await updateProfile(asUser(deps, context), {
        userId: params.userId,
        profession: body.userProfile.profession,
        noticesOff: body.userProfile.mailsOff,
        mailsNameVideos: body.userProfile.mailsNameVideos,
        discreet: body.userProfile.discreet,
        pushesOff: body.userProfile.pushesOff,
        deleteSourcesAfterDays: body.userProfile.deleteSourcesAfterDays,
      })
      return { status: 200, body: { userProfile: viewProfile(profile) } }
    },
    listSessions: async ({ context }) => {
      const sessionId = sessionOf(context)
      const devices = await listDevices(asUser(deps, context), { sessionId })
      return {
        status: 200,
        body: { sessions: devices.map((device) => viewSession(device, sessionId)) },
      }
    },
    endOtherSessions: async ({ context }) => {
      await signOutOthers(asUser(deps, context), { sessionId: sessionOf(context) })
      return { status: 204 }
    },
    endSession: async ({ params, context }) => {
      await signOutDevice(asUser(deps, context), params)
      return { status: 204 }
    },
    exportAccount: async ({ context }) => await sendExport(deps, context),
    deleteAccount: async ({ body, context }) => {
      const deletesAt = await requestDeletion(asUser(deps, context), body)
      return { status: 200, body: { deletion: { deletesAt: deletesAt.toISOString() } } }
    },
  } satisfies Partial<Handlers>
}

async function sendExport(deps: Deps, context: RequestContext): Promise<RawAnswer> {
  const ctx = asUser(deps, context)
  const day = deps.clock().toISOString().slice(0, 10)
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', `account-data-${day}.zip`),
    'x-content-type-options': 'nosniff',
  }
  if (context.method === 'HEAD') return { raw: new Response(null, { headers }) }
  const archive = exportArchive(await exportAccount(ctx))
  archive.on('error', (error) => deps.log.warn('export/broken-off', { error }))
  // Node's and the page's stream types differ in name only.
  return { raw: new Response(Readable.toWeb(archive) as ReadableStream<Uint8Array>, { headers }) }
}

/** The session that asks; refuses with `auth/signed-out` without one. */
export function sessionOf({ sessionId }: RequestContext): string {
  if (sessionId === null) throw signedOut()
  return sessionId
}
