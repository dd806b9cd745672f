import { describe, expect, it } from 'vitest'
import { logoFactsOf, refuseLogo, type LogoFacts } from '#recipes/dynamic-watermark/logo.ts'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

describe('the logo of a watermark', () => {
  const good: LogoFacts = { width: 600, height: 200, isTransparent: true }

  it('DEL-03 needs transparent parts, a size that is not blurred and a shape that is seen on a phone', () => {
    expect(refuseLogo(good)).toBeNull()
    expect(refuseLogo({ ...good, width: 2000 })).toBeNull()
    expect(refuseLogo({ ...good, width: 128, height: 13 })).toBeNull()
    expect(refuseLogo({ ...good, isTransparent: false })).toContain('PNG with a transparent ground')
    expect(refuseLogo({ ...good, width: 4000 })).toContain('4000 × 200, too thin')
    expect(refuseLogo({ ...good, width: 20, height: 400 })).toContain('too thin')
    expect(refuseLogo({ ...good, width: 127, height: 90 })).toContain('127 × 90, so it would be')
    expect(refuseLogo({ ...good, width: 0 })).toContain('Nothing is to be seen')
  })

  it('DEL-03 is measured without its transparent margins, and by its format where nothing was measured', () => {
    const drawn = { x: 0.25, y: 0, width: 0.5, height: 1, isOpaque: false }
    const image = probe({ width: 400, height: 300, pixelFormat: 'rgba' })
    expect(logoFactsOf({ ...image, drawn })).toEqual({ ...good, width: 200, height: 300 })
    expect(logoFactsOf(image)).toEqual({ ...good, width: 400, height: 300 })
    expect(logoFactsOf({ ...image, pixelFormat: 'rgb24' }).isTransparent).toBe(false)
    const opaque = { x: 0, y: 0, width: 1, height: 1, isOpaque: true }
    expect(logoFactsOf({ ...image, drawn: opaque }).isTransparent).toBe(false)
  })

  it('DEL-03 has the area of its size, whatever its shape, inside of what it may have of the picture', () => {
    const sizeOf = (width: number, height: number, size: string): readonly number[] => {
      const image = probe({ width, height, pixelFormat: 'rgba' })
      const plan = findRecipe('dynamic-watermark')?.plan(
        probe(),
        { logoMediaAssetId: 'l', size },
        { moments: [], assets: [{ id: 'l', kind: 'image', probe: image }], secret: SECRET },
      )
      if (plan?.ok !== true) throw new Error('no plan')
      const step = plan.value.steps[0]
      if (step === undefined) throw new Error('no step')
      const [, scaled = ''] = /,scale=(\d+:\d+):/.exec(printArgs(step, () => '/f').join(' ')) ?? []
      return scaled.split(':').map(Number)
    }
    expect(sizeOf(512, 512, 'small')).toEqual([154, 154])
    expect(sizeOf(512, 512, 'medium')).toEqual([192, 192])
    expect(sizeOf(512, 512, 'large')).toEqual([269, 269])
    expect(sizeOf(1600, 400, 'medium')).toEqual([384, 96])
    expect(sizeOf(200, 2000, 'large')).toEqual([32, 324])
    expect(sizeOf(2000, 200, 'large')).toEqual([850, 85])
  })
})
