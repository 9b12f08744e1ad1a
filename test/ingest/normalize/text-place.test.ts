import { neighborhoodInText } from '#ingest/normalize/text-place.ts';
import { cases } from './spellings.ts';

/** @param text title and description, separated by `;`, or a description */
const read = (text: string): string | null => {
  const [title, description] = text.includes(';') ? text.split(';') : [null, text];
  return neighborhoodInText('riyadh', title ?? null, description ?? '')?.name_ar ?? null;
};

cases('a neighborhood is read if the text introduces it as the location, in both languages', read, [
  ['الياسمين', 'شقة للبيع بحي الياسمين قريبة من الخدمات|Bright flat, Al Yasmeen district, two bedrooms'],
  [
    'الملقا',
    'شقة بالملقا، ثلاث غرف|شقة في حي الملقا|Located in Hay Al-Malqa|فيلا بحي الملقا;مشاريعنا في حي النرجس وحي العارض',
  ],
  ['النزهة', 'الحي / النزهة\nالمساحة / 142م'],
  ['النرجس', 'الموقع : النرجس\nالشارع : 30|Apartment for sale in Al Narjis, close to services'],
  ['النرجس', 'شقة للبيع في حي النرجس\nلنا مشاريع في حي العارض|شقة للبيع في حي النرجس;حي النرجس مشروع جديد'],
  ['العارض', 'شقة في حي (العارض)'],
  ['قرطبة', 'حى قرطبه'],
]);

cases('streets, landmarks, nearby places, offices, ordinary words and lists name no neighborhood', read, [
  [
    null,
    'شقة على شارع الملقا|طريق الياسمين|قريب من حي الياسمين|تبعد 10 دقائق عن حي النرجس|بجوار حي الملقا|مقابل حديقة حي العقيق|مكتب الأفق العقاري في حي العليا|لدينا عروض أخرى في حي الملقا|في الياسمين مول',
  ],
  [
    null,
    'الشقة في النور والهدوء|والسلام عليكم، أهلا بالسلام|يوجد بالوادي القريب|شمال الرياض|10 minutes from Al Narjis district|near Al Malqa district|in Al Narjis street|موقع في أحد أفضل الأحياء|في المربع الذهبي|حي راقي وهادئ',
  ],
  [
    null,
    'أراضي في حي الملقا وحي الياسمين|عقارات في حي الملقا والياسمين|شقة للبيع في حي الصحافة;شقة للبيع بحي الياسمين',
  ],
]);
