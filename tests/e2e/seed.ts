import { expect } from '@playwright/test'
import type { TestClient } from '#tests/setup/client.ts'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpCreator } from '#tests/setup/e2e-sign-up.ts'
import { attestation, requestEdits } from '#tests/setup/order.ts'
import { beginUpload, uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

/** A person in the middle of the main job. */
export interface SeededPerson {
  /** Signed in; `signInContext` gives its session to a browser. */
  readonly client: TestClient
  /** Where in the app this person goes on. */
  readonly path: string
}

/**
 * Signs up a person whose video the server has checked, by the calls that the app makes and none of
 * its screens. The person goes on with the choice of edits.
 */
export async function seedVideo(
  server: Pick<E2eServer, 'origin' | 'mails'>,
  videoPath: string,
): Promise<SeededPerson & { readonly uploadRequestId: string }> {
  const client = await signUpCreator(server)
  const { _id } = await uploadFile(client, videoPath)
  const state = async (): Promise<string> =>
    (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)).body
      .uploadRequest.state
  await expect.poll(state).toBe('validated')
  return { client, uploadRequestId: _id, path: `/uploads/${_id}/media-jobs/new` }
}

async function seedUpload(
  server: Pick<E2eServer, 'origin' | 'mails'>,
): Promise<{ readonly client: TestClient; readonly uploadRequestId: string }> {
  const client = await signUpCreator(server)
  const { _id } = await beginUpload(client, 1_000_000)
  return { client, uploadRequestId: _id }
}

/**
 * As `seedVideo`, with edits ordered, of which nothing is paid. The person goes on with paying.
 * Without a path no byte of the video has arrived, so that nothing is made of what is paid.
 */
export async function seedOrder(
  server: Pick<E2eServer, 'origin' | 'mails'>,
  videoPath: string | null,
  edits: Parameters<typeof requestEdits>[2],
): Promise<SeededPerson> {
  const { client, uploadRequestId } =
    videoPath === null ? await seedUpload(server) : await seedVideo(server, videoPath)
  const { _id: mediaJobId } = await requestEdits(client, uploadRequestId, edits)
  const answer = await client.post<{ order: { _id: string } }>('/v1/orders', {
    order: { mediaJobId, attestation },
  })
  if (answer.status >= 300)
    throw new Error(`Ordering answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return { client, path: `/uploads/orders/${answer.body.order._id}/checkout` }
}
