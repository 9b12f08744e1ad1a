import { endpoints } from '#src/endpoints/index.ts';
import { findOperations } from '#src/mcp/find-operations.ts';
import { toolsOf } from '#src/mcp/tools.ts';
import { test } from '#test/test.ts';

/** What a user would ask an assistant for, in both languages. */
const QUESTIONS: Readonly<Record<string, readonly [english: string, arabic: string]>> = {
  getAskingVsRegistered: ['Are asking prices above registered prices?', 'مقارنة الأسعار المعروضة بالأسعار المسجلة'],
  listComparables: ['Show comparable listings for this apartment', 'إعلانات مشابهة لهذا الإعلان'],
  compareNeighborhoods: ['Compare two neighborhoods', 'قارن بين حيين من أحياء الرياض'],
  listListingChanges: ['Which listings changed since my last call?', 'ما تغييرات الإعلانات منذ آخر مرة؟'],
  listMarketDeals: ['Which homes are good deals?', 'أريد فرص أسعارها أقل من السوق'],
  getEstimateAccuracy: ['How accurate are the estimates?', 'ما دقة تقديرات الأسعار؟'],
  estimatePrice: ['Estimate what my home is worth by its attributes', 'تقدير سعر مسكن بصفاته'],
  estimateListingPrice: ['Estimate the price of this listing', 'تقدير سعر هذا الإعلان'],
  estimatePrices: ['Estimate several homes at once', 'تقدير أسعار عدة مساكن دفعة واحدة'],
  getMarketPosition: ['What is the market position of this ad?', 'ما موقع هذا الإعلان في السوق؟'],
  getPriceBand: ['What is the usual price band for this listing?', 'ما النطاق السعري لهذا الإعلان؟'],
  getRentalYield: ['What rental yield do apartments return?', 'كم العائد الإيجاري في أحياء جدة؟'],
  getMarketTrends: ['How did prices develop, monthly trends?', 'اتجاهات الأسعار الشهرية'],
  listExports: ['List my exports', 'عرض عمليات التصدير'],
  getExport: ['Get the progress and links of an export', 'تقدم عملية التصدير وروابط ملفاتها'],
  createExport: ['Export the complete dataset to files', 'إنشاء تصدير لكامل البيانات'],
  getListing: ['Get this listing by its id', 'عرض إعلان واحد بمعرّفه'],
  batchListings: ['Get several listings by their ids, in one batch', 'عرض مجموعة إعلانات بمعرفاتها'],
  countListings: ['Count listings that match', 'عدد الإعلانات المطابقة'],
  listFacets: ['Count listings by facet', 'عد الإعلانات حسب كل قيمة'],
  mapListings: ['Show listings on a map', 'الإعلانات على الخريطة'],
  parseListings: ['Turn a search sentence into filters', 'تحليل جملة بحث'],
  getPriceHistory: ['Has the price of this listing changed? Its price history', 'سجل أسعار هذا الإعلان'],
  searchListings: ['Search apartments for rent', 'البحث في الإعلانات'],
  getMarketSummary: ['A summary of the market', 'ملخص السوق'],
  getPriceDistribution: ['How are prices distributed? A histogram', 'توزيع الأسعار'],
  getAreaDistribution: ['How are areas distributed?', 'توزيع المساحات'],
  getMarketSupply: ['How many new listings appeared, the supply?', 'حجم المعروض الجديد هذا الأسبوع'],
  getMarketVacancy: ['How many days do listings stay on the market? Vacancy', 'مدة بقاء الإعلانات في السوق'],
  listMarketNeighborhoods: ['Rank the neighborhoods of Riyadh by price', 'ترتيب الأحياء حسب السعر'],
  searchProjects: ['Which off-plan projects are under construction?', 'مشاريع البيع على الخارطة'],
  getProject: ['Details of an off-plan project', 'تفاصيل مشروع على الخارطة'],
  listDevelopers: ['Which developers build in Jeddah?', 'من هم مطورو المشاريع؟'],
  searchProjectUnits: ['Search units of off-plan projects in a city', 'البحث في وحدات المشاريع على الخارطة'],
  listProjectUnits: ['Which units does this project have?', 'وحدات هذا المشروع'],
  getLandPrices: ['What does land cost per square meter?', 'أسعار الأراضي لكل متر'],
  getMarketTransactions: ['Statistics of registered sale transactions', 'إحصاءات صفقات البيع المسجلة'],
  getMarketIndex: ['The official price index', 'المؤشر الرسمي لأسعار العقارات'],
  getPropertyIndex: ['The property index of this service', 'مؤشر العقار'],
  getRegisteredRents: ['What rents are registered in contracts?', 'الإيجارات المسجلة في العقود'],
  listTransactions: ['List single registered deals', 'عرض الصفقات المسجلة'],
  listBoundaries: ['Boundaries of neighborhoods as GeoJSON', 'حدود الأحياء'],
  listEnums: ['Which values does a filter accept? List enums', 'القيم المقبولة في القوائم'],
  getLimits: ['How many units are left, my limits?', 'حدود مفتاحي'],
  listCities: ['Which cities are covered?', 'ما المدن المتاحة؟'],
  listNeighborhoods: ['List the neighborhoods of a city', 'عرض أحياء المدينة'],
  listDirections: ['Directions of a city, such as north', 'جهات المدينة'],
  suggest: ['Suggest places while I type', 'اقتراح أماكن'],
};

const tools = toolsOf(endpoints);

test('every operation is among the first three that a question in English or Arabic finds', (t) => {
  t.deepEqual(Object.keys(QUESTIONS).sort(), tools.map(({ name }) => name).sort());
  const missed = Object.entries(QUESTIONS).flatMap(([name, questions]) =>
    questions.flatMap((question) => {
      const found = findOperations(tools, question).map((tool) => tool.name);
      return found.slice(0, 3).includes(name) ? [] : [`${name}: ${question}: ${found.join(', ')}`];
    }),
  );
  t.deepEqual(missed, []);
  t.deepEqual(findOperations(tools, 'the'), []);
});
