import type { MultipartPlan } from './port.ts'

/** Where a part begins in its file, and how many bytes it has. */
export function placeOfPart(
  { sizeBytes, partSizeBytes }: Pick<MultipartPlan, 'sizeBytes' | 'partSizeBytes'>,
  partNumber: number,
): { readonly offset: number; readonly sizeBytes: number } {
  const offset = (partNumber - 1) * partSizeBytes
  return { offset, sizeBytes: Math.min(partSizeBytes, sizeBytes - offset) }
}
