import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { catalogue, findPreset } from '#recipes/presets.ts'

const root = join(import.meta.dirname, '../../..')
const slugsOf = (tab: string) =>
  catalogue.filter((preset) => preset.tab === tab).map((preset) => preset.slug)

describe('the catalogue', () => {
  it('FMT-02 has the 19 presets of the specification and two more teasers', () => {
    expect(new Set(catalogue.map((preset) => preset.slug)).size).toBe(21)
    expect(slugsOf('promotional')).toEqual([
      'social-media-gif-pack',
      'still-pack',
      'blur-video-and-audio',
      'teaser-15s',
      'teaser-60s',
      'teaser-square',
      'teaser-upright',
      'tube-cut',
      'team-skeet-trailer',
      'team-skeet-thumbnail-video',
      'short-trailer-gif',
      'dynamic-watermark',
      'uniform-sampling',
    ])
    expect(slugsOf('full-scene').toSorted()).toEqual([
      'denoised-full-scene',
      'enhanced-audio-full-scene',
      'example-high-resolution-video',
      'example-low-resolution-video',
      'face-blurred-full-scene',
      'incognito-full-scene',
      'remove-background-music',
      'voice-mask-full-scene',
    ])
  })

  it('FMT-03 marks two presets as popular and three as new', () => {
    const withBadge = (badge: string) =>
      catalogue
        .filter((preset) => preset.badge === badge)
        .map((preset) => preset.slug)
        .toSorted()
    expect(withBadge('popular')).toEqual(['social-media-gif-pack', 'teaser-15s'])
    expect(withBadge('new')).toEqual(['blur-video-and-audio', 'still-pack', 'uniform-sampling'])
  })

  it('FMT-04 says which presets have options', () => {
    expect(
      catalogue
        .filter((preset) => preset.hasOptions)
        .map((preset) => preset.slug)
        .toSorted(),
    ).toEqual([
      'dynamic-watermark',
      'incognito-full-scene',
      'short-trailer-gif',
      'team-skeet-trailer',
      'tube-cut',
      'uniform-sampling',
    ])
  })

  it('FMT-02 lists the presets of the contract, with options where the contract takes some', () => {
    const { schemas } = parse(readFileSync(join(root, 'openapi/openapi.yaml'), 'utf8')).components
    expect(catalogue.map((preset) => preset.slug).toSorted()).toEqual(
      schemas.PresetSlug.enum.toSorted(),
    )
    expect(
      catalogue
        .filter((preset) => !preset.hasOptions)
        .map((preset) => preset.slug)
        .toSorted(),
    ).toEqual(schemas.PlainTaskRequest.properties.mediaJobTaskPresetSlug.enum.toSorted())
  })

  it('FMT-02 takes all presets in one order, one set and one save, and shows all as an example', () => {
    const { schemas, examples } = parse(
      readFileSync(join(root, 'openapi/openapi.yaml'), 'utf8'),
    ).components
    expect([
      schemas.CreateMediaJobBody.properties.mediaJob.properties.mediaJobTaskRequests.maxItems,
      schemas.SaveEditSetBody.properties.editSet.properties.mediaJobTaskRequests.maxItems,
      schemas.StartDriveSavesBody.properties.taskIds.maxItems,
      examples.GetCapabilitiesAnswer.value.capabilities.presets.length,
    ]).toEqual(Array(4).fill(catalogue.length))
  })

  it('FMT-01 has a picture of every preset, and the motif that it is drawn from', () => {
    for (const { slug, imageUrl } of catalogue) {
      expect(join(root, 'public', imageUrl)).toSatisfy(existsSync)
      expect(join(root, 'recipes', slug, 'motif.svg')).toSatisfy(existsSync)
    }
  })

  it('REC-18 and REC-19 promise of faces and voices only what was measured, wherever it is said', () => {
    // A search overlooks faces, and software tells masked voices apart: benchmarks.md has figures.
    const promises =
      /\b(every|all|any) faces?\b|\b(cannot|can't|never|can no longer) be (recogni|identif)|unrecogni|anonym|untraceable|(?<!not )\bhides? who\b|by which voices are known/i
    expect('The whole video with every face blurred').toMatch(promises)
    expect('so that people cannot be recognised by how they sound').toMatch(promises)
    const files = [
      'README.md',
      'front.html',
      'index.html',
      ...globSync('docs/help/*.md', { cwd: root }),
      ...globSync('src/features/landing/*.{ts,tsx}', { cwd: root }),
      ...globSync('src/components/options/*.tsx', { cwd: root }),
    ]
    expect(files.length).toBeGreaterThan(40)
    const texts = [
      ...files.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const),
      ...catalogue.map(({ slug, description }) => [slug, description] as const),
    ]
    expect(
      texts.flatMap(([name, text]) => {
        const promise = promises.exec(text.replaceAll(/\s+/g, ' '))
        return promise === null ? [] : [`${name}: ${promise[0]}`]
      }),
    ).toEqual([])
    for (const slug of ['face-blurred-full-scene', 'incognito-full-scene'])
      expect(findPreset(slug)?.description).toMatch(/that a search finds and those that you add/)
    for (const slug of ['voice-mask-full-scene', 'incognito-full-scene'])
      expect(findPreset(slug)?.description).toMatch(
        /not hide who speaks from software that compares voices/,
      )
  })

  it('FMT-01 gives every preset a name, a description and an image', () => {
    for (const preset of catalogue) {
      expect(preset.name).not.toBe('')
      expect(preset.description.length).toBeGreaterThan(30)
      expect(preset.imageUrl).toBe(`/presets/${preset.slug}.webp`)
    }
    expect(findPreset('teaser-15s')?.name).toBe('15s Teaser')
    expect(findPreset('nothing')).toBeUndefined()
  })
})
