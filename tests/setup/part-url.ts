import type { MultipartPlan, ObjectStore } from '#server/object-store/port.ts'

/** Where a part is sent to, of a store that needs no headers of its own. */
export async function urlOf(
  store: Pick<ObjectStore, 'signPart'>,
  plan: MultipartPlan,
  partNumber: number,
  expiresInS = 60,
): Promise<string> {
  return (await store.signPart(plan, null, { partNumber, checksumSha256: null }, expiresInS)).url
}
