/** Makkah and Madinah. Rows: `id|slug|name_ar|direction|lat,lng|other spellings`, parsed by `../gazetteer.ts`. */
export const MAKKAH_MADINAH = {
  makkah: `
3001|al_awali|العوالي|S|21.340,39.910|Al Awaly
3002|al_aziziyah|العزيزية|E|21.415,39.855|Al Aziziya
3003|al_shawqiyah|الشوقية|S|21.385,39.795|Al Shoqiyah;Ash Shawqiyah
3004|al_nuzha|النزهة|W|21.430,39.785|Al Nozha
3005|al_zahir|الزاهر|W|21.450,39.800|Al Zaher
3006|al_zahra|الزهراء|W|21.430,39.800|Al Zahraa
3007|al_sharai|الشرائع|E|21.505,39.920|Al Sharaie;Al Sharaya;الشرايع;Asharai
3008|al_rusayfah|الرصيفة|W|21.415,39.790|Al Rusaifah;Al Rasaifah
3009|al_kakiyah|الكعكية|S|21.375,39.815|Al Kakia;Al Kaakiyah
3010|batha_quraysh|بطحاء قريش|S|21.360,39.840|Batha Quraish
3011|al_hijrah|الهجرة|S|21.375,39.850|Al Hijra
3012|al_misfalah|المسفلة|C|21.405,39.825|Al Mesfalah
3013|ajyad|أجياد|C|21.420,39.830|Jiyad;Ajyad;جياد
3014|al_shubaikah|الشبيكة|C|21.415,39.820|Al Shubaykah
3015|jarwal|جرول|C|21.430,39.815|Jarwal
3016|al_tundubawi|التندباوي|C|21.415,39.815|Al Tandabawi
3017|al_utaybiyah|العتيبية|C|21.450,39.820|Al Otaibiyah;Al Utaibiyah
3018|al_mabdah|المعابدة|C|21.435,39.850|Al Maabdah;Al Maabda
3019|al_jummayzah|الجميزة|C|21.435,39.840|Al Jumaizah;Al Jummaizah
3020|al_hujun|الحجون|C|21.435,39.820|Al Hajoun;Al Hujoon
3021|al_rawdah|الروضة|E|21.425,39.850|Al Rawda
3022|al_shisha|الششة|E||Al Shesha;Ash Shishah
3023|al_adl|العدل|E|21.445,39.875|Al Adel
3024|al_khansa|الخنساء|E|21.445,39.850|Al Khansaa
3025|al_mursalat|المرسلات|E|21.405,39.880|Al Morsalat
3026|mina|منى|E|21.400,39.915|المشاعر;Mena
3027|al_jamiah|الجامعة|E|21.395,39.880|Al Jamia
3028|al_naseem|النسيم|S|21.385,39.870|Al Nasim
3029|al_khalidiyah|الخالدية|S|21.405,39.800|Al Khaldiyah
3030|al_tanim|التنعيم|N|21.490,39.815|Al Taneem
3031|al_umrah_al_jadidah|العمرة الجديدة|N|21.560,39.815|Al Omrah Al Jadidah;New Omrah;Al Umrah;العمرة
3032|al_nawariyah|النوارية|N|21.535,39.740|Al Nawwariyah;Al Nwwariyah
3033|al_buhayrat|البحيرات|N|21.490,39.755|Al Buhairat
3034|al_ukayshiyah|العكيشية|S|21.265,39.865|Al Okaishiyah;Al Ukaishiyah
3035|waly_al_ahd|ولي العهد|S|21.300,39.730|Wali Al Ahd;Waly Al Ahd
3036|al_husayniyah|الحسينية|S||Al Hussainiyah;Alhoseniah
3037|al_taysir|التيسير|C|21.430,39.810|Al Tayseer
3038|al_hindawiyah|الهنداوية|C|21.415,39.800|Al Hindawiya
3039|al_mansur|المنصور|C|21.415,39.810|Al Mansour
3040|al_nakkasah|النكاسة|C||Al Nakasah
3041|kudy|كدي|C|21.400,39.840|Kudai;Kuday
3042|al_hamra_umm_al_jud|الحمراء وأم الجود|W|21.400,39.695|الحمراء;Al Hamra;Umm Al Joud;Al Hamra Umm Al Joud
3043|al_salamah|السلامة|W|21.465,39.700|Al Salama
3044|al_rashidiyah|الراشدية|E|21.465,39.970|Al Rashdiyah;Al Rashidia
3045|al_khadra|الخضراء|E|21.435,39.945|Al Khadraa
3046|al_andalus|الأندلس|N|21.455,39.825|Al Andalous
3047|al_zaydi|الزايدي|W||Al Zaidi;Al Zayedi
3049|al_sulaymaniyah|السليمانية|C|21.435,39.835|Al Sulaimaniyah
3050|shib_amir|شعب عامر|C|21.425,39.830|Shuab Amer;Shaeb Amir;Shaeb Amir Al Jadid
3052|jabal_al_nur|جبل النور|E|21.455,39.870|Jabal Al Noor
3054|al_haram|الحرم|C|21.425,39.825|Haram
3055|jurhum|جرهم|C|21.405,39.815|Jarham
3056|al_taqwa|التقوى|C|21.395,39.820|
3057|al_qararah_wal_naqa|القرارة والنقا|C|21.430,39.825|Al Qararah And An Naqa
3058|harat_al_bab_wal_shamiyah|حارة الباب والشامية|C|21.425,39.8225|حارة الباب;الشامية;Harat Al Bab;Al Shamiya;Harat Al Bab And Ash Shamiyah;Harat Al Bab Al Jadid;Ash Shamiya Al Jadid;حارة الباب الجديد
3059|al_diyafah|الضيافة|W|21.435,39.800|
3060|al_biban|البيبان|W|21.435,39.810|Al Bibyan
3061|al_hajlah|الهجلة|C|21.415,39.825|Al Hajla;Al Hajla Al Jadid
3062|sharai_al_mujahidin|شرائع المجاهدين|E|21.520,39.940|
3063|king_fahd|الملك فهد|W|21.375,39.705|King Fahad
3064|ray_zakhir|ريع زاخر|N|21.460,39.840|
3065|al_rawabi|الروابي|S|21.410,39.835|
3066|al_shuhada|الشهداء|N|21.455,39.805|
3067|wadi_jalil|وادي جليل|N|21.485,39.860|Wadi Jaleel
3068|al_usaylah|العسيلة|E|21.515,39.870|Al Osailah
3069|al_tarwiyah|التروية|E||Al Tarwia
3070|al_muhammadiyah|المحمدية|S||Al Mohamdya;Al Mohammadiyah
3071|al_salam|السلام|W||
3072|al_kawthar|الكوثر|S||
3073|al_jiranah|الجعرانة|E||جعرانة;Jarana;Jaranah
3074|al_qashashiyah|القشاشية|C||Al Qashashia;Al Qashashia Al Jadid
3075|al_shamiyah_al_jadid|الشامية الجديد|||
3076|dar_al_salam|دار السلام|||
3077|al_hajlah_al_jadid|الهجلة الجديد|||
3078|al_falaq_al_jadid|الفلق الجديد|||
3080|al_qashashiyah_al_jadid|القشاشية الجديد|||
3081|al_basatin|البساتين|||
3082|al_maqam|المقام|||
3083|al_misyal_al_jadid|المسيال الجديد|||
3084|al_qararah_al_jadid|القرارة الجديد|||
3085|al_bayah|البيعة|||
3086|muaad|معاد|||
3087|qurtubah|قرطبة|||
3088|taibah|طيبة|||
3089|shib_ali|شعب علي|||
3090|al_shubaikah_al_jadid|الشبيكة الجديد|||
3091|ri_adhakhir|ريع أذاخر|||
3092|umm_al_jud|أم الجود|||
3093|tuwa|طوى|||
`,
  madinah: `
4001|al_haram|الحرم|C|24.470,39.610|بني النجار;Haram
4002|quba|قباء|S||Kuba;Qubaa
4003|al_aziziyah|العزيزية|W|24.420,39.500|Al Aziziya
4004|al_khalidiyah|الخالدية|E|24.460,39.660|Al Khaldiyah
4005|al_iskan|الإسكان|E|24.455,39.650|Al Eskan
4006|al_jumuah|الجمعة|S|24.450,39.615|Al Jomoa
4007|al_usbah|العصبة|S|24.430,39.610|Al Usba
4008|al_duwaimah|الدويمة|S|24.445,39.610|Al Dowaima;Al Duwaymah
4009|al_mabuth|المبعوث|W|24.485,39.675|Al Mabooth;Al Mabuth
4010|al_suqya|السقيا|C|24.465,39.600|Al Saqya
4011|al_anabis|العنابس|W|24.475,39.590|Al Anabis
4012|al_qiblatayn|القبلتين|W|24.480,39.575|Al Qiblatain
4013|al_fath|الفتح|N|24.480,39.595|Al Fateh
4014|sayyid_al_shuhada|سيد الشهداء|N||Sayed Al Shuhada;Uhud
4015|al_uyun|العيون|N|24.520,39.590|Al Oyoun;Al Oyun
4016|al_jurf|الجرف|N||Al Jorf
4017|al_rayah|الراية|N|24.485,39.600|Ar Rayah
4018|al_manakhah|المناخة|C|24.470,39.605|
4019|al_mughaisilah|المغيسلة|C|24.460,39.605|Al Mughaysilah
4020|bani_muawiyah|بني معاوية|C|24.475,39.625|Bani Muawiya
4021|bani_khudrah|بني خدرة|C|24.465,39.615|Bani Khidrah
4022|al_masani|المصانع|N|24.480,39.610|
4023|al_uraid|العريض|E|24.480,39.645|Al Oraid;Al Urayd;Al Aridh
4026|shuran|شوران|S|24.395,39.625|Shoran;Shouran
4027|mahzur|مهزور|S||Mahzoor
4028|al_hadiqah|الحديقة|E|24.415,39.610|Al Hadeeqa
4029|al_rawabi|الروابي|W|24.415,39.660|
4030|al_difa|الدفاع|W|24.445,39.525|Al Defaa
4031|al_nakhil|النخيل|W|24.525,39.550|Al Nakheel
4032|taybah|طيبة|W|24.495,39.530|Taiba
4033|al_salam|السلام|W|24.475,39.525|
4034|al_duaithah|الدعيثة|C||Al Doaitha;Al Duaytha
4035|warqan|ورقان|W|24.380,39.520|Warkan
4036|al_qaswa|القصواء|S|24.430,39.590|Al Qaswaa
4037|al_shafiyah|الشافية|W|24.535,39.640|Al Shafia
4038|king_fahd|الملك فهد|E|24.500,39.690|King Fahad
4039|al_rawdah|الروضة|E||Al Rawda
4040|abu_kabir|أبو كبير|W|24.390,39.535|Abu Kabeer
4041|al_barakah|البركة|S|24.515,39.570|Al Baraka
4042|al_rumanah|الرمانة|S|24.395,39.680|Al Rummanah
4043|al_shuraibat|الشريبات|S|24.450,39.640|Al Shuraybat
4045|airport|مطار الأمير محمد بن عبدالعزيز الدولي|E|24.565,39.675|المطار;Airport
4046|al_jamiah|الجامعة|W|24.485,39.565|الجامعة الإسلامية;Al Jamiah;Islamic University
4047|al_zahra|الزهرة|E|24.530,39.570|Al Zuhrah
4049|al_sakb|السكب|E|24.360,39.580|Al Sakab
4051|khakh|خاخ|S|24.360,39.540|
4052|al_jassah|الجصة|S|24.360,39.615|
4053|raht|رهط|S|24.370,39.640|
4054|bani_bayadah|بني بياضة|S|24.380,39.590|
4055|nubala|نبلاء|S|24.380,39.660|
4056|al_shahba|الشهباء|S|24.390,39.550|
4057|al_gharra|الغراء|S|24.405,39.670|
4058|al_sadd|السد|S|24.405,39.640|
4059|al_jabirah|الجابرة|S|24.405,39.585|
4060|al_ranuna|الرانوناء|S|24.395,39.600|Al Ranouna
4061|abu_burayqa|أبو بريقاء|W|24.420,39.565|Abu Buraiqa
4062|al_khatim|الخاتم|S|24.430,39.625|
4063|al_ihn|العهن|S|24.430,39.640|
4064|dhu_al_hulayfah|ذو الحليفة|W|24.430,39.560|Dhul Hulaifah
4065|urwah|عروة|W|24.440,39.585|Orwa
4066|al_dhahirah|الظاهرة|S|24.445,39.600|
4067|qurban|قربان|S|24.450,39.620|Kurban
4068|al_naqa|النقاء|C|24.465,39.605|
4069|bani_dhafar|بني ظفر|E|24.460,39.630|
4070|al_jamawat|الجماوات|W|24.465,39.560|
4071|badhaah|بضاعة|C|24.4725,39.610|
4072|al_hadra|الهدراء|E|24.440,39.695|
4073|al_sih|السيح|C|24.470,39.595|Al Saih
4074|bani_harithah|بني حارثة|N|24.490,39.630|
4075|bir_uthman|بئر عثمان|N|24.495,39.580|Beer Othman
4076|shadhat|شظاة|E|24.495,39.655|Shidhat;Shadhah
4077|al_dar|الدار|N|24.530,39.635|
4078|al_ghabah|الغابة|N|24.560,39.605|
4079|wairah|وعيرة|N|24.550,39.665|
4080|al_duwaykhilah|الدويخلة|E|24.505,39.675|Al Duwaikhilah
4081|bani_abd_al_ashhal|بني عبدالأشهل|C|24.480,39.620|
4082|al_anahi|الأناهي|W||
4083|wadi_mudhaynib|وادي مذينب|S||Mudhainib;Wadi Mudhainib
4084|al_khadra|الخضراء|W||
4085|ayn_al_khif|عين الخيف|S|24.430,39.685|
4086|kittanah|كتانة|N|24.555,39.555|
4087|industrial_city|المدينة الصناعية|W||Madinah Industrial City
4088|wadi_al_battan|وادي البطان|W||
4089|sikkat_al_hadid|سكة الحديد|E||Al Sikkah Al Hadid
4090|abu_sidr|أبو سدر|E||
4091|abyar_al_mashi|أبيار الماشي|S||
4092|al_hasa|الحساء|||
4093|jasham|جشم|||
4094|al_aqul|العاقول|||
4095|al_mandasah|المندسة|||
4096|abu_markhah|أبو مرخة|||ابومرخة
4097|wadi_mahzur|وادي مهزور|||
4098|jabal_ayr|جبل عير|||
4099|jabal_uhud|جبل أحد|||
4100|al_mulaylih|المليليح|||
4101|al_shuhada|الشهداء|||
4102|masjid_al_dir|مسجد الدرع|||
4103|harrat_al_wabrah|حرة الوبرة|||
4104|al_balqa|البلقاء|||
4105|al_usayfirin|الأصيفرين|||
`,
};
