/** Pixels: enough to tell a beach from a bed, too few to tell who lies on either. */
export const MOSAIC_WIDTH = 24

/**
 * A picture of `MOSAIC_WIDTH` pixels in the place of this one; null where this browser cannot make
 * one. Encoded from its pixels, so that nothing else of the file comes along.
 */
export async function mosaicOf(picture: Blob): Promise<Blob | null> {
  const bitmap = await decoded(picture)
  if (bitmap === null) return null
  try {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    if (context === null) return null
    context.drawImage(bitmap, 0, 0)
    return await canvas.convertToBlob({ type: 'image/png' })
  } catch {
    return null
  } finally {
    bitmap.close()
  }
}

async function decoded(picture: Blob): Promise<ImageBitmap | null> {
  try {
    // The height follows from the width.
    return await createImageBitmap(picture, { resizeWidth: MOSAIC_WIDTH, resizeQuality: 'high' })
  } catch {
    return null
  }
}
