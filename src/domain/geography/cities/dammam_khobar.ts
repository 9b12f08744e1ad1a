/**
 * Dammam, Khobar and Dhahran. Rows: `id|slug|name_ar|direction|lat,lng|other spellings`, parsed by `../gazetteer.ts`.
 */
export const DAMMAM_KHOBAR = {
  dammam: `
5001|al_shati_al_sharqi|الشاطئ الشرقي|E|26.470,50.130|Al Shatea Al Sharqi;East Al Shati;Ash Shati Ash Sharqi
5002|al_shati_al_gharbi|الشاطئ الغربي|N|26.475,50.120|Al Shatea Al Gharbi;West Al Shati;Ash Shati Al Gharbi
5003|al_faisaliyah|الفيصلية|W|26.390,50.060|Al Faisaliah
5004|al_mazruiyah|المزروعية|C|26.445,50.125|Al Mazrouiyah;Al Mazroiyah
5005|al_adamah|العدامة|C|26.435,50.100|Al Adama
5006|al_dawasir|الدواسر|C|26.445,50.105|Al Dawaser
5007|al_nakheel|النخيل|C|26.440,50.090|Al Nakhil
5008|al_amamrah|العمامرة|C|26.445,50.115|Al Amamira
5009|al_badiah|البادية|C|26.430,50.090|Al Badiya;Al Badia
5010|al_jalawiyah|الجلوية|C|26.435,50.075|Al Jalawiya;Al Jelawiyah
5011|al_muhammadiyah|المحمدية|C|26.455,50.055|Al Mohammadiyah;Al Mohammadiya
5012|al_anud|العنود|C|26.445,50.075|Al Anoud
5013|ghirnatah|غرناطة|C|26.425,50.080|Granada;Ghernatah
5014|ibn_khaldun|ابن خلدون|C|26.420,50.095|Ibn Khaldoun
5015|al_khalidiyah_al_shamaliyah|الخالدية الشمالية|E|26.415,50.145|North Al Khalidiyah;Al Khaldiyah North
5016|al_khalidiyah_al_janubiyah|الخالدية الجنوبية|E|26.405,50.160|South Al Khalidiyah;Al Khaldiyah South
5017|al_tubayshi|الطبيشي|C|26.435,50.125|Al Tubaishi;At Tubaishi
5018|al_qazzaz|القزاز|C|26.435,50.090|Al Qazaz;Al Gazzaz
5019|al_suq|السوق|C|26.440,50.105|Al Souq
5020|al_khaleej|الخليج|N|26.445,50.090|Al Khalij
5021|al_rabi|الربيع|C|26.440,50.110|Al Rabee
5022|al_nuzha|النزهة|C|26.390,50.110|Al Nozha
5023|al_rawdah|الروضة|W|26.400,50.080|Al Rawda
5024|al_athir|الأثير|W|26.435,50.060|Al Atheer;Al Athir
5025|al_jamiyin|الجامعيين|W|26.395,50.100|Al Jameiyeen;Al Jamiyeen
5026|uhud|أحد|W|26.415,50.045|Ohod;Uhod
5027|badr|بدر|W|26.405,50.025|Bader
5028|al_aziziyah|العزيزية|S|26.455,50.070|Al Aziziya
5029|al_nur|النور|W|26.430,50.025|Al Noor;Al Nour
5030|al_shulah|الشعلة|S|26.340,50.070|Al Shola;Al Shula;Al Shaala
5031|taybah|طيبة|W|26.360,50.050|Taiba;Teebah;Taybay
5032|al_manar|المنار|S|26.375,50.040|
5033|al_rayyan|الريان|W|26.405,50.095|Al Rayan
5034|al_hamra|الحمراء|N|26.470,50.090|Al Hamraa
5035|al_firdaws|الفردوس|N|26.380,50.120|Al Firdous;Al Ferdous
5036|al_muntazah|المنتزه|W|26.380,50.130|Al Montazah
5038|al_zuhur|الزهور|C|26.455,50.090|Al Zohour;Al Zuhoor
5039|al_muraikabat|المريكبات|E|26.415,50.100|Al Muraykabat;Al Mraikbat
5040|king_fahd_suburb|ضاحية الملك فهد|S|26.420,49.995|King Fahd Suburb;King Fahad Suburb;Dahiyat Al Malik Fahd;Dahiyat King Fahd
5041|al_saif|السيف|E|26.390,50.210|Al Sief;As Sayf
5042|al_qadisiyah|القادسية|C|26.420,50.070|Al Qadisiya
5043|al_hadabah|الهضبة|S|26.345,49.935|Al Hadhbah
5044|al_salam|السلام|S|26.450,50.100|
5046|al_amal|الأمل|S|26.345,50.025|Al Amal
5048|al_itisalat|الإتصالات|E|26.415,50.085|Al Etisalat;Al Ittisalat;الاتصالات;Al Itsalat Subdivision
5050|al_fursan|الفرسان|S|26.355,49.960|
5051|al_amanah|الأمانة|W|26.385,49.970|Al Amana
5052|al_hussam|الحسام|W|26.390,50.175|Al Husam
5053|al_nada|الندى|S|26.375,50.075|
5054|al_naseem|النسيم|S|26.455,50.160|Al Nasim
5055|al_wahah|الواحة|S|26.380,50.095|Al Waha
5056|al_sadafah|الصدفة|N||
5058|al_danah|الدانة|C|26.465,50.045|
5059|al_dibab|الضباب|C|26.420,50.055|Al Dhabab
5061|abdullah_fuad|عبدالله فؤاد|S||Abdullah Fouad;Abdallah Fouad;Abdullah Fouad Dammam
5062|madinat_al_ummal|مدينة العمال|C|26.425,50.110|Workers City
5063|al_noras|النورس|N|26.420,50.195|Al Nawras
5065|al_iskan|الإسكان|S|26.415,50.125|
5066|al_rakah|الراكة|E|26.370,50.190|Ar Rakah
5068|al_matar|مطار الملك فهد|W|26.480,49.815|المطار;King Fahd Airport;Airport
5069|al_jawharah|الجوهرة|S|26.465,50.080|Al Jawhara
5071|al_nasriyah|الناصرية|E|26.425,50.125|Al Nasiriyah
5072|first_industrial_city|الصناعية الأولى|E|26.395,50.140|1st Industrial City;Industrial Area No 1
5073|al_fanar|الفنار|E|26.410,50.200|
5074|al_nahdah|النهضة|E|26.380,50.140|Al Nahda
5075|prince_muhammad_bin_saud|الأمير محمد بن سعود|C|26.430,50.110|Prince Mohammed Bin Saud;Prince Muhammed Ibn Saud
5076|al_safa|الصفا|E|26.385,50.185|
5077|qasr_al_khalij|قصر الخليج|S|26.365,50.135|Qasr Al Khaleej
5078|second_industrial_city|المدينة الصناعية الثانية|S|26.250,49.985|2nd Industrial City
5079|al_khadriyah|الخضرية|W|26.450,50.045|Al Kuthriah;Al Khodaria
5080|al_badi|البديع|C|26.450,50.115|Al Badea
5081|al_fayha|الفيحاء|W|26.440,50.040|Al Faiha
5082|al_shifa|الشفاء|C|26.410,50.120|
5083|al_buhayrah|البحيرة|N|26.465,50.065|Al Buhairah
5084|al_rabiyah|الرابية|N|26.465,50.035|
5085|al_basatin|البساتين|E|26.395,50.125|Al Basateen
5086|king_faisal_university|مدينة الملك فيصل الجامعية|E|26.400,50.205|Dammam University;King Faisal University
5087|al_anwar|الأنوار|S|26.365,50.010|
5088|al_sharq|الشرق|S|26.365,49.970|
5089|al_maha|المها|W|26.485,49.935|
5090|al_urubah|العروبة|S|26.340,50.000|Al Urobah
5091|al_jud|الجود|S|26.300,50.015|
5092|hajar|هجر|S||Hajr
5093|al_qusur|القصور|S||Al Qusor
5094|al_wisam|الوسام|S||Al Wasam
5095|al_iskan_al_janubi|الإسكان الجنوبي|||
5096|gharb_al_dammam|غرب الدمام|||
5097|tihamah|تهامة|||
5098|al_sinaiyah_al_thaniyah|الصناعية الثانية|||
5099|al_dawhah_al_janubiyah|الدوحة الجنوبية|||
5100|al_jamiah|الجامعة|||
5101|al_shuruq|الشروق|||
5102|al_khadamat_al_musanadah|الخدمات المساندة|||
`,
  khobar: `
6001|al_aqrabiyah|العقربية|C|26.295,50.190|Al Aqrabiah;Al Agrabiyah
6002|al_khobar_al_shamaliyah|الخبر الشمالية|C|26.290,50.210|North Khobar;Al Khobar North;Khobar North;Al Khobar Al Shamalia;Al Khabra Ash Shamalia;الخبرالشمالية
6003|al_khobar_al_janubiyah|الخبر الجنوبية|C|26.275,50.210|South Khobar;Al Khobar South;Khobar South;Al Khobar Al Janubia
6004|al_ulaya|العليا|C|26.295,50.180|Al Olaya;Al Ulaya;Al Ulya
6005|al_rawabi|الروابي|N|26.330,50.205|
6006|al_yarmuk|اليرموك|N|26.310,50.220|Al Yarmouk
6007|al_kurnish|الكورنيش|E|26.305,50.220|Al Corniche;Corniche
6008|al_bandariyah|البندرية|N|26.310,50.210|Al Bandariah;Al Bandaria
6009|al_hizam_al_dhahabi|الحزام الذهبي|N|26.315,50.200|Al Hezam Al Thahabi;Golden Belt;Al Hizam Al Dhahabi
6010|al_hizam_al_akhdar|الحزام الأخضر|N|26.305,50.200|Green Belt;Al Hezam Al Akhdar
6011|al_rakah_al_shamaliyah|الراكة الشمالية|N||North Al Rakah;Al Rakah North;Ar Rakah Ash Shamaliyah;Al Rakah Al Shamaliah
6012|al_rakah_al_janubiyah|الراكة الجنوبية|N|26.350,50.200|South Al Rakah;Al Rakah South;Ar Rakah Al Janubiyah;Al Rakah Al Janubiah
6013|qurtubah|قرطبة|N|26.345,50.190|Qurtoba;Cordoba;Kordoba
6014|ishbiliyah|إشبيليا|N|26.200,50.215|اشبيلية;Ishbilia;Seville
6016|al_thuqbah|الثقبة|C|26.275,50.195|Ath Thuqbah;Al Thoqbah;Al Thaqbah
6017|al_hada|الهدا|C|26.310,50.180|Al Hadaa
6018|al_tahliyah|التحلية|S|26.175,50.195|Al Tahlia;Al Tahliah
6020|al_buhayrah|البحيرة|N|26.190,50.180|Al Bohairah;Al Buhaira
6021|al_lulu|اللؤلؤ|S|26.120,50.145|Al Loaloa;Al Lulu;Al Luwlu
6022|al_aziziyah|العزيزية|S||Al Aziziya
6023|al_sahil|الساحل|S|26.260,50.215|
6024|al_jisr|الجسر|S|26.210,50.205|
6025|al_khuzama|الخزامى|S|26.205,50.185|Al Khozama
6027|al_kawthar|الكوثر|S|26.150,50.115|Al Kauthar
6028|al_amwaj|الأمواج|S|26.140,50.145|
6029|al_sawari|الصواري|S|26.185,50.150|
6030|al_shiraa|الشراع|S|26.165,50.150|Al Sheraa;Ash Shira
6031|al_murjan|المرجان|S|26.115,50.115|Al Morjan;Al Marjan
6032|al_hamra|الحمراء|S|26.225,50.205|Al Hamraa
6033|al_andalus|الأندلس|N|26.325,50.185|Al Andalous
6034|sanaiyah_al_fawaziyah|الصناعية الفوازية|S|26.245,50.215|الصناعية;Industrial;Al Fawaziyah
6035|al_taawun|التعاون|S|26.230,50.185|Al Taawon
6036|al_jawharah|الجوهرة|N|26.330,50.200|Al Jawhara
6038|madinat_al_umal|مدينة العمال|C|26.290,50.205|Madinat Al Umal;Workers City
6041|al_aqiq|العقيق|S|26.095,50.145|Al Aqeeq
6044|al_iskan|إسكان الخبر|S|26.260,50.210|الإسكان;Al Eskan;Iskan Al Khobar
6045|ibn_sina|ابن سيناء|S|26.240,50.205|
6046|sinaiyat_al_thuqbah|صناعية الثقبة|S|26.255,50.200|Sinaiyah Ath Thuqbah
6047|al_bustan|البستان|N|26.320,50.210|
6048|sports_city|المدينة الرياضية|N|26.360,50.185|
6049|al_bahr|البحر|N|26.350,50.220|Al Bahar
6050|al_khawr|الخور|S|26.225,50.215|Al Khour
6051|al_raja|الرجاء|S|26.165,50.125|
6052|al_maha|المها|S|26.190,50.130|
6053|al_sufun|السفن|S|26.135,50.165|
6054|al_shifa|الشفاء|||
6055|al_durrah|الدرة|||
6056|al_sadafah|الصدفة|||
6057|gharb_al_aziziyah|غرب العزيزية|||
`,
  dhahran: `
7001|al_doha_al_shamaliyah|الدوحة الشمالية|N|26.335,50.165|Al Dawhah Al Shamaliyah;North Al Doha;Doha North;Al Dawhah North;Ad Dawhah Ash Shamaliyah
7002|al_doha_al_janubiyah|الدوحة الجنوبية|S|26.315,50.165|Al Dawhah Al Janubiyah;South Al Doha;Doha South;Al Dawhah South;Ad Dawhah Al Janubiyah
7003|al_danah_al_shamaliyah|الدانة الشمالية|N|26.335,50.145|North Al Danah;Ad Danah Ash Shamaliyah
7004|al_danah_al_janubiyah|الدانة الجنوبية|N|26.325,50.150|South Al Danah;Ad Danah Al Janubiyah
7005|al_jamiah|الجامعة|C|26.305,50.150|KFUPM;جامعة الملك فهد للبترول والمعادن;Al Jamiah
7006|al_qusur|القصور|S|26.350,50.150|Al Qosour;Al Qusoor
7007|tilal_al_doha|تلال الدوحة|S||Tilal Al Doha
7008|hajr|هجر|N|26.355,50.110|Hajar
7009|ajyal|أجيال|W||Ajyal
7010|gharb_al_dhahran|غرب الظهران|W|26.310,50.125|West Dhahran;Gharb Al Dhahran
7014|al_haras_al_watani|الحرس الوطني|N|26.365,50.160|National Guard
7015|tihamah|تهامة|N|26.355,50.130|Tihama
7016|al_qashlah|القشلة|N|26.365,50.175|
`,
};
