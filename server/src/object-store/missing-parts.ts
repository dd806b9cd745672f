import type { ClaimedPart, MultipartPlan, StoredPart } from './port.ts'

/** Part numbers of the plan that are not stored, or not as `claimed`. */
export function findMissingParts(
  plan: MultipartPlan,
  stored: readonly StoredPart[],
  claimed: readonly ClaimedPart[],
): number[] {
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const claimedByNumber = new Map(claimed.map((part) => [part.partNumber, part]))
  return Array.from({ length: plan.partCount }, (_, index) => index + 1).filter((partNumber) => {
    const have = storedByNumber.get(partNumber)
    const want = claimedByNumber.get(partNumber)
    if (have === undefined || want === undefined || have.eTag !== want.eTag) return true
    return (
      want.checksumSha256 != null &&
      have.checksumSha256 !== null &&
      want.checksumSha256 !== have.checksumSha256
    )
  })
}
