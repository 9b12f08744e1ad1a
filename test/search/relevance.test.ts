import type { OpenSearch } from '#search/client.ts';
import { scoreAds } from '#search/relevance/ads.ts';
import { PARTS, REQUIRED_SHARE, readPairs, scorePairs } from '#search/relevance/pairs.ts';
import { searchPairs } from '#search/relevance/texts.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

let client: OpenSearch;
test.before(() => {
  client = ownIndexes().client;
});
test.after(() => client?.close());

test('at least 95% of the relevance pairs in each part have the expected outcome', async (t) => {
  const pairs = readPairs();
  const scores = scorePairs(pairs, await searchPairs(client, pairs));
  for (const part of PARTS) {
    const { right, share, wrong } = scores[part];
    t.log(`${part}: ${right} of ${right + wrong.length}`);
    t.true(share >= REQUIRED_SHARE, `${part}: ${share}; \`npm run cli -- relevance\` shows the misses`);
  }
});

/**
 * Invented ads. Together they contain the words of every frequent query, in inflected and informal forms. They are
 * Arabic, because most patterns of the queries match no English words.
 */
const ADS: readonly string[] = [
  'شقة بالدور الأرضي مع حوش كبير ومدخل خاص',
  'شقه دور ارضي بفناء ومدخلين مستقلين وغرفة للخادمه',
  'عمارة فيها مصعدين وكاميرات مراقبه في كل الأدوار',
  'الاصنصير شغال والمواقف في القبو ومستودع لكل شقة',
  'غرفة شغالة وغرفة سائق ومخزن وموقف خاص',
  'بلكونتين وسطح مع مسبح وحديقة',
  'شرفة مطلة على حوض سباحة وحدائق',
  'المطبخ راكب والمكيفات راكبة وضمانات على الكهرباء والسباكة',
  'مطابخ راكبه، تكييف مركزي، كفالة خمس سنوات',
  'الصك إلكتروني والسعر شامل الضريبة',
  'سعرها قابل للتفاوض والصكوك جاهزة، تقبل البنوك',
  'على شارعين شمالي وغربي قريبة من المسجد والمدارس',
  'شارع عشرين متر، جامع ومدرسة للبنات وبنك',
  'شمال الرياض حي الملقا تصميم مودرن',
  'من ارقى أحياء شمال الريـــاض بتصميم حديث وعدادات كهرباء مستقلة',
  'ثلاث دورات مياه وصالتين',
  'حمامات ومويه وصاله معيشه',
  'روف مع بادروم وجراج',
  'الملك يقبل الكاش فقط',
  'Flat in Jeddah, furnished',
  'أرض زراعية للبيع في الخرج',
  'فيلا للإيجار بجوار الجامعة',
];

test('frequent queries find the ads that contain their words in any form, and no others', async (t) => {
  const { queries } = await scoreAds(
    client,
    ADS.map((ad) => ['', ad]),
  );
  t.deepEqual(
    queries.filter(({ answers, precision, recall }) => answers === 0 || precision < 1 || recall < 1),
    [],
  );
});
