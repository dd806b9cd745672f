import { expect, test } from 'vitest'

const SOURCES: Readonly<Record<string, string>> = import.meta.glob('/src/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * Who may draw pictures of videos by themselves: the owner of the rule, and what works on one
 * video, in whose place a person has chosen to see it. None of them is a list, and none stores what
 * it draws.
 */
const DRAWERS = [
  'components/moments/MomentTile.tsx',
  'components/options/MomentField.tsx',
  'components/pictures/ListPicture.tsx',
  'components/preview/PreviewReel.tsx',
  'components/preview/PreviewStage.tsx',
  'features/upload/trim/TrimStrip.tsx',
  'features/upload/trim/TrimTimes.tsx',
]
/** The same of addresses, beside pictures that every visitor of the site sees. */
const ADDRESSED = [
  'components/made/MadeFiles.tsx',
  'components/moments/MomentTile.tsx',
  'components/outputs/OutputPreview.tsx',
  'components/preview/PreviewMedia.tsx',
  'features/media-jobs/FaceStrip.tsx',
  'ui/BlobImage.tsx',
]
const OF_THE_SITE = [
  'app/layout/Logo.tsx',
  'components/order/OrderItems.tsx',
  'features/upload/formats/PresetCard.tsx',
  'features/upload/older/PresetChoice.tsx',
  'features/upload/order/ChosenEdits.tsx',
]

const LANDING = '/features/landing/'

const having = (tag: string) =>
  Object.entries(SOURCES)
    .filter(([path, text]) => new RegExp(`<${tag}\\s`).test(text) && !path.includes(LANDING))
    .map(([path]) => path.replace('/src/', ''))
    .toSorted()

test('PHO-05 every list draws its pictures through the one component that knows of discreet devices', () => {
  expect(having('BlobImage')).toEqual(DRAWERS)
  expect(having('img')).toEqual([...ADDRESSED, ...OF_THE_SITE].toSorted())
  expect(having('ShownOnPress')).toEqual([
    'components/made/MadeFiles.tsx',
    'components/outputs/OutputPreview.tsx',
  ])
  expect(having('ListPicture')).toEqual([
    'components/assets/AssetPicture.tsx',
    'components/jobs/JobThumbnail.tsx',
    'components/outputs/OutputPreview.tsx',
    'components/uploads/Filmstrip.tsx',
    'components/uploads/UploadPoster.tsx',
    'features/upload/choose/VerdictCard.tsx',
    'features/upload/formats/UploadBlock.tsx',
  ])
})
